// Batch normalisation: when the running statistics move, and what evaluation does with them.
#include <doctest/doctest.h>

#include "runtime/errors.h"
#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

std::vector<float> statisticsOf(nn::Module& module) { return valuesOf(module, {nn::Role::state}); }

}  // namespace

TEST_CASE("running statistics move by the momentum towards those of the batch") {
  FOR_EACH_BACKEND(backend) {
    const auto norm = moduleOn(backend, "nn.SpatialBatchNormalization(1,1e-5,0.25)");
    norm->forward(tensor(*backend, {2, 1, 1, 2}, {1, 2, 3, 6}));  // mean 3, unbiased variance 14/3
    const auto statistics = statisticsOf(*norm);
    CHECK(statistics[0] == doctest::Approx(0.25 * 3));
    CHECK(statistics[1] == doctest::Approx(0.75 + 0.25 * 14 / 3));
  }
}

TEST_CASE("a layer inside a network moves its running statistics once at each forward") {
  FOR_EACH_BACKEND(backend) {
    const auto alone = moduleOn(backend, "nn.SpatialBatchNormalization(2)");
    const auto network =
        moduleOn(backend,
                 "nn.ConcatTable():add(nn.Sequential():add(nn.SpatialBatchNormalization(2)));"
                 "nn.Identity()");
    for (const std::uint32_t seed : {1, 2, 3}) {
      const auto input = randomTensor(*backend, {3, 2, 2, 2}, seed);
      alone->forward(input);
      network->forward(input);
      CHECK(statisticsOf(*network) == statisticsOf(*alone));
    }
  }
}

TEST_CASE("a forward that fails behind the layer leaves its running statistics alone") {
  FOR_EACH_BACKEND(backend) {
    const auto network =
        moduleOn(backend, "nn.SpatialBatchNormalization(2); nn.SpatialConvolution(2,1,3,3)");
    network->forward(randomTensor(*backend, {3, 2, 4, 4}, 1));
    const auto statistics = statisticsOf(*network);
    const auto tooSmall = randomTensor(*backend, {3, 2, 2, 2}, 2);
    CHECK_THROWS_AS(network->forward(tooSmall), ShapeError);
    CHECK(statisticsOf(*network) == statistics);
  }
}

TEST_CASE("backward and evaluation leave the running statistics alone") {
  FOR_EACH_BACKEND(backend) {
    const auto norm = moduleOn(backend, "nn.SpatialBatchNormalization(2)");
    const auto input = randomTensor(*backend, {3, 2, 4, 4}, 1);
    norm->forward(input);
    const auto statistics = statisticsOf(*norm);
    norm->backward(input, randomTensor(*backend, {3, 2, 4, 4}, 2));
    norm->evaluate();
    norm->forward(input);
    CHECK(statisticsOf(*norm) == statistics);
  }
}

TEST_CASE("evaluation normalises by the running statistics") {
  FOR_EACH_BACKEND(backend) {
    const auto norm = moduleOn(backend, "nn.SpatialBatchNormalization(1,0,0.1,false)");
    fieldOf(*norm, "running_mean").copyFromValues<float>({2});
    fieldOf(*norm, "running_var").copyFromValues<float>({16});
    norm->evaluate();
    const auto input = tensor(*backend, {1, 1, 1, 3}, {2, 6, -2});
    CHECK(valuesOf(norm->forward(input)) == std::vector<float>{0, 1, -1});
    CHECK(valuesOf(norm->backward(input, input)) == std::vector<float>{0.5F, 1.5F, -0.5F});
  }
}

}  // namespace torchette::testing

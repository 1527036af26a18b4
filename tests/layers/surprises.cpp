// Behaviours of Torch7 that surprise, and that users of its networks rely on all the same.
#include <doctest/doctest.h>

#include <limits>

#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

using Floats = std::vector<float>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Floats outputOf(const std::shared_ptr<Backend>& backend, const std::string& expression,
                const Shape& shape, const Floats& input) {
  return valuesOf(moduleOn(backend, expression)->forward(tensor(*backend, shape, input)));
}

}  // namespace

TEST_CASE("ReLU makes zero of NaN") {
  FOR_EACH_BACKEND(backend) {
    CHECK(outputOf(backend, "nn.ReLU()", {3}, {nan, -1, 2}) == Floats{0, 0, 2});
  }
}

TEST_CASE("max pooling passes NaN over") {
  FOR_EACH_BACKEND(backend) {
    const auto pooling = moduleOn(backend, "nn.SpatialMaxPooling(2,2)");
    const auto input = tensor(*backend, {2, 2, 2}, {nan, 1, 2, 3, nan, nan, nan, nan});
    CHECK(valuesOf(pooling->forward(input)) == Floats{3, std::numeric_limits<float>::lowest()});
    CHECK(fieldOf(*pooling, "indices").values<std::int64_t>() == std::vector<std::int64_t>{3, -1});
    const auto gradOutput = tensor(*backend, {2, 1, 1}, {5, 7});
    CHECK(valuesOf(pooling->backward(input, gradOutput)) == Floats{0, 0, 0, 5, 0, 0, 0, 0});
  }
}

TEST_CASE("average pooling divides a partial window by the pixels inside") {
  FOR_EACH_BACKEND(backend) {
    const Floats ones(9, 1.0F);
    CHECK(outputOf(backend, "nn.SpatialAveragePooling(2,2,2,2):ceil()", {1, 3, 3}, ones) ==
          Floats{1, 1, 1, 1});
    CHECK(outputOf(backend, "nn.SpatialAveragePooling(2,2,2,2,1,1)", {1, 3, 3}, ones) ==
          Floats{0.25F, 0.5F, 0.5F, 1});
  }
}

TEST_CASE("in place layers overwrite the tensors of the caller") {
  FOR_EACH_BACKEND(backend) {
    const auto input = tensor(*backend, {2}, {-1, 2});
    const auto relu = moduleOn(backend, "nn.ReLU(true)");
    relu->forward(input);
    CHECK(valuesOf(input) == Floats{0, 2});
    const auto gradOutput = tensor(*backend, {2}, {3, 4});
    relu->backward(input, gradOutput);
    CHECK(valuesOf(gradOutput) == Floats{0, 4});

    const auto first = tensor(*backend, {1}, {1}), second = tensor(*backend, {1}, {2});
    moduleOn(backend, "nn.CAddTable(true)")->forward(std::vector<nn::Activity>{first, second});
    CHECK(valuesOf(first) == Floats{3});
  }
}

TEST_CASE("CAddTable gives each of its inputs a gradient of its own unless it works in place") {
  FOR_EACH_BACKEND(backend) {
    const auto gradOutput = randomTensor(*backend, {2, 3}, 1);
    for (const bool isInPlace : {false, true}) {
      CAPTURE(isInPlace);
      const auto sum = moduleOn(backend, isInPlace ? "nn.CAddTable(true)" : "nn.CAddTable()");
      const nn::Activity input = std::vector<nn::Activity>{randomTensor(*backend, {2, 3}, 2),
                                                           randomTensor(*backend, {2, 3}, 3)};
      sum->forward(input);
      const auto& gradients = sum->backward(input, gradOutput).table();
      for (const auto& gradient : gradients) {
        CHECK(valuesOf(gradient) == valuesOf(gradOutput));
        CHECK(gradient.tensor().sharesStorageWith(gradOutput) == isInPlace);
      }
      CHECK(gradients[0].tensor().sharesStorageWith(gradients[1].tensor()) == isInPlace);
    }
  }
}

TEST_CASE("LeakyReLU works in place only where its second argument says so and it can") {
  FOR_EACH_BACKEND(backend) {
    const auto isInPlace = [&](const std::string& expression) {
      const auto input = tensor(*backend, {2}, {-1, 2});
      return moduleOn(backend, expression)->forward(input).tensor().sharesStorageWith(input);
    };
    CHECK(isInPlace("nn.LeakyReLU(0.1,true)"));
    CHECK_FALSE(isInPlace("nn.LeakyReLU(true)"));
    CHECK_FALSE(isInPlace("nn.LeakyReLU(-0.1,true)"));
    CHECK_FALSE(isInPlace("nn.LeakyReLU()"));
  }
}

TEST_CASE("View drops a batch of one that Reshape keeps") {
  FOR_EACH_BACKEND(backend) {
    const auto input = randomTensor(*backend, {1, 3, 4}, 1);
    CHECK(moduleOn(backend, "nn.View(12)")->forward(input).tensor().shape() == Shape{12});
    CHECK(moduleOn(backend, "nn.View(12):setNumInputDims(2)")->forward(input).tensor().shape() ==
          Shape{1, 12});
    CHECK(moduleOn(backend, "nn.Reshape(12)")->forward(input).tensor().shape() == Shape{1, 12});
  }
}

TEST_CASE("batch normalisation keeps the unbiased variance") {
  FOR_EACH_BACKEND(backend) {
    const auto norm = moduleOn(backend, "nn.SpatialBatchNormalization(1,1e-5,1,false)");
    norm->forward(tensor(*backend, {4, 1, 1, 1}, {1, 2, 3, 6}));
    CHECK(valuesOf(fieldOf(*norm, "running_mean"))[0] == doctest::Approx(3));
    CHECK(valuesOf(fieldOf(*norm, "running_var"))[0] == doctest::Approx(14.0 / 3));
  }
}

}  // namespace torchette::testing

// SoftMax and LogSoftMax.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/backends/operands.h"
#include "tests/support/naive.h"

namespace torchette::testing {

namespace {

std::vector<SoftMaxGeometry> geometries() {
  return {{.outer = 3, .classes = 4, .inner = 1},   {.outer = 64, .classes = 10, .inner = 1},
          {.outer = 2, .classes = 1, .inner = 5},   {.outer = 40, .classes = 1003, .inner = 1},
          {.outer = 2, .classes = 7, .inner = 300}, {.outer = 1, .classes = 21, .inner = 2000},
          {.outer = 0, .classes = 5, .inner = 1}};
}

Shape shapeOf(const SoftMaxGeometry& geometry) {
  return {geometry.outer, geometry.classes, geometry.inner};
}

/// Random inputs in [-8, 8).
Tensor randomInput(Backend& backend, const SoftMaxGeometry& geometry) {
  const auto values = randomValues(shapeOf(geometry).elements(), 1);
  return tensor(backend, shapeOf(geometry), mapped(values, [](double value) { return 8 * value; }));
}

/// The same result with 1 on the place of each result: what the sum over classes must be.
void checkSumsToOne(const SoftMaxGeometry& geometry, const std::vector<float>& probabilities) {
  std::vector<double> sums(geometry.outer * geometry.inner, 0.0);
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const std::size_t outer = i / (geometry.classes * geometry.inner);
    sums[outer * geometry.inner + i % geometry.inner] += probabilities[i];
  }
  for (const double sum : sums) CHECK(sum == doctest::Approx(1).epsilon(1e-6));
}

}  // namespace

TEST_CASE("softMax agrees with the reference and sums to one") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Tensor input = randomInput(*backend, geometry);
      const Tensor output = room(*backend, input.shape());
      backend->softMax(geometry, at(input), at(output));
      checkClose(valuesOf(output), naive::softMax(geometry, valuesOf(input)), 2e-6);
      checkSumsToOne(geometry, valuesOf(output));
    }
  }
}

TEST_CASE("logSoftMax agrees with the reference") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Tensor input = randomInput(*backend, geometry);
      const Tensor output = room(*backend, input.shape());
      backend->logSoftMax(geometry, at(input), at(output));
      checkClose(valuesOf(output), naive::logSoftMax(geometry, valuesOf(input)), 2e-6);
    }
  }
}

TEST_CASE("softMax stays finite for large inputs") {
  FOR_EACH_BACKEND(backend) {
    for (const SoftMaxGeometry& geometry : {SoftMaxGeometry{.outer = 2, .classes = 3, .inner = 1},
                                            {.outer = 1, .classes = 3, .inner = 2}}) {
      const std::vector<float> values{1e4F, 1e4F, 1e4F, 1e4F, -1e4F, -1e4F};
      const Tensor input = tensor(*backend, {6}, values);
      const Tensor output = room(*backend, {6});
      backend->softMax(geometry, at(input), at(output));
      checkClose(valuesOf(output), naive::softMax(geometry, values), 1e-6);
      backend->logSoftMax(geometry, at(input), at(output));
      checkClose(valuesOf(output), naive::logSoftMax(geometry, values), 1e-6);
    }
  }
}

TEST_CASE("an excluded class has probability zero") {
  FOR_EACH_BACKEND(backend) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const Tensor input = tensor(*backend, {3}, {1, -infinity, 1});
    const Tensor output = room(*backend, {3});
    const SoftMaxGeometry geometry{.outer = 1, .classes = 3, .inner = 1};
    backend->softMax(geometry, at(input), at(output));
    CHECK(valuesOf(output) == std::vector<float>{0.5F, 0, 0.5F});
    backend->logSoftMax(geometry, at(input), at(output));
    CHECK(valuesOf(output)[1] == -infinity);
  }
}

TEST_CASE("soft max gradients are the derivatives of the outputs") {
  FOR_EACH_BACKEND(backend) {
    for (const SoftMaxGeometry& geometry : {SoftMaxGeometry{.outer = 2, .classes = 5, .inner = 1},
                                            {.outer = 2, .classes = 4, .inner = 3}}) {
      const Tensor input = randomTensor(*backend, shapeOf(geometry), 1);
      const Tensor output = room(*backend, input.shape());
      const Tensor gradOutput = randomTensor(*backend, input.shape(), 2);
      const Tensor gradInput = room(*backend, input.shape());
      const auto gradients = valuesOf(gradOutput);

      backend->softMax(geometry, at(input), at(output));
      backend->softMaxBackward(geometry, at(output), at(gradOutput), at(gradInput));
      const auto softMaxLoss = [&](const std::vector<float>& x) {
        auto y = naive::logSoftMaxInDouble(geometry, x);
        for (double& value : y) value = std::exp(value);
        return naive::dot(y, gradients);
      };
      checkClose(valuesOf(gradInput), naive::numericGradient(softMaxLoss, valuesOf(input)), 1e-4);

      backend->logSoftMax(geometry, at(input), at(output));
      backend->logSoftMaxBackward(geometry, at(output), at(gradOutput), at(gradInput));
      const auto logSoftMaxLoss = [&](const std::vector<float>& x) {
        return naive::dot(naive::logSoftMaxInDouble(geometry, x), gradients);
      };
      checkClose(valuesOf(gradInput), naive::numericGradient(logSoftMaxLoss, valuesOf(input)),
                 1e-4);
    }
  }
}

TEST_CASE("soft max gradients sum to zero over the classes") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Tensor input = randomInput(*backend, geometry);
      const Tensor output = room(*backend, input.shape());
      const Tensor gradOutput = randomTensor(*backend, input.shape(), 2);
      const Tensor gradInput = room(*backend, input.shape());
      backend->logSoftMax(geometry, at(input), at(output));
      backend->logSoftMaxBackward(geometry, at(output), at(gradOutput), at(gradInput));
      const std::vector<float> ones(input.elements(), 1.0F);
      CHECK(naive::dot(valuesOf(gradInput), ones) == doctest::Approx(0).epsilon(1e-2));
      backend->softMax(geometry, at(input), at(output));
      backend->softMaxBackward(geometry, at(output), at(gradOutput), at(gradInput));
      CHECK(naive::dot(valuesOf(gradInput), ones) == doctest::Approx(0).epsilon(1e-3));
    }
  }
}

}  // namespace torchette::testing

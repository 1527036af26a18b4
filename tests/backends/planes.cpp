// Biases.
#include <doctest/doctest.h>

#include "tests/backends/operands.h"
#include "tests/support/naive.h"

namespace torchette::testing {

namespace {

std::vector<PlanesGeometry> geometries() {
  return {{.samples = 2, .planes = 3, .pixels = 5},    {.samples = 64, .planes = 500, .pixels = 1},
          {.samples = 1, .planes = 300, .pixels = 70}, {.samples = 300, .planes = 1, .pixels = 1},
          {.samples = 7, .planes = 20, .pixels = 576}, {.samples = 0, .planes = 4, .pixels = 3}};
}

}  // namespace

TEST_CASE("fillBias sets every pixel to the bias of its plane") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Tensor bias = randomTensor(*backend, {geometry.planes}, 1);
      const Tensor y = room(*backend, {geometry.samples * geometry.planes * geometry.pixels});
      backend->fillBias(geometry, at(bias), at(y));
      const auto biases = valuesOf(bias);
      std::vector<float> expected(y.elements());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] = biases[i / geometry.pixels % geometry.planes];
      }
      CHECK(valuesOf(y) == expected);
    }
  }
}

TEST_CASE("accumulateBias adds the scaled sums of the planes to what is there") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Shape shape{geometry.samples * geometry.planes * geometry.pixels};
      const Tensor gradOutput = randomTensor(*backend, shape, 1);
      const Tensor gradBias = randomTensor(*backend, {geometry.planes}, 2);
      auto expected = valuesOf(gradBias);
      const auto sums = naive::planeSums(geometry, valuesOf(gradOutput));
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += 0.5F * sums[i];
      backend->accumulateBias(geometry, 0.5F, at(gradOutput), at(gradBias));
      checkClose(valuesOf(gradBias), expected, 1e-5);
    }
  }
}

TEST_CASE("accumulateBias keeps small terms next to large ones") {
  FOR_EACH_BACKEND(backend) {
    for (const std::int64_t pixels : {1, 4}) {
      const Tensor gradOutput = tensor(*backend, {4}, {1e8F, 1, 1, -1e8F});
      const Tensor gradBias = tensor(*backend, {1}, {0});
      backend->accumulateBias({.samples = 4 / pixels, .planes = 1, .pixels = pixels}, 1,
                              at(gradOutput), at(gradBias));
      CHECK(valuesOf(gradBias) == std::vector<float>{2});
    }
  }
}

}  // namespace torchette::testing

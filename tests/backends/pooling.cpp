// Max and average pooling.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/backends/operands.h"
#include "tests/backends/sparse_memory.h"
#include "tests/support/naive.h"

namespace torchette::testing {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Sizes as without ceil mode.
PoolingGeometry poolingOf(std::int64_t planes, std::int64_t height, std::int64_t width,
                          const Window& window) {
  return {.planes = planes,
          .height = height,
          .width = width,
          .window = window,
          .outputHeight = (height + 2 * window.padH - window.kH) / window.dH + 1,
          .outputWidth = (width + 2 * window.padW - window.kW) / window.dW + 1};
}

/// One more window at the end of each row and column, as in ceil mode.
PoolingGeometry withPartialWindows(PoolingGeometry geometry) {
  ++geometry.outputHeight;
  ++geometry.outputWidth;
  return geometry;
}

std::vector<PoolingGeometry> geometries() {
  const Window two{.kW = 2, .kH = 2, .dW = 2, .dH = 2};
  const Window three{.kW = 3, .kH = 3, .dW = 2, .dH = 2};
  const Window paddedThree{.kW = 3, .kH = 3, .padW = 1, .padH = 1};
  return {
      poolingOf(64, 24, 24, two),
      poolingOf(3, 8, 6, two),
      poolingOf(1, 2, 1300, two),
      withPartialWindows(poolingOf(3, 7, 9, two)),
      withPartialWindows(poolingOf(2, 12, 10, three)),
      poolingOf(4, 55, 37, three),
      poolingOf(5, 14, 11, paddedThree),
      poolingOf(2, 9, 9, {.kW = 3, .kH = 3, .dW = 2, .dH = 2, .padW = 1, .padH = 1}),
      poolingOf(3, 10, 13, {.kW = 2, .kH = 4, .dW = 3, .dH = 1, .padW = 1, .padH = 2}),
      poolingOf(3, 11, 5, {.kW = 5, .kH = 3, .dW = 1, .dH = 2, .padW = 2, .padH = 0}),
      poolingOf(100, 7, 7, {.kW = 7, .kH = 7}),
      poolingOf(2, 3, 3, {.kW = 7, .kH = 7, .dW = 2, .dH = 2, .padW = 3, .padH = 3}),
      poolingOf(0, 4, 4, two),
  };
}

Shape inputShape(const PoolingGeometry& geometry) {
  return {geometry.planes, geometry.height, geometry.width};
}

Shape outputShape(const PoolingGeometry& geometry) {
  return {geometry.planes, geometry.outputHeight, geometry.outputWidth};
}

/// Few different values, so that windows hold their maximum more than once.
std::vector<float> valuesWithTies(std::int64_t elements) {
  return mapped(randomValues(elements, 5), [](double value) { return std::round(3 * value); });
}

void checkMaxPool(Backend& backend, const PoolingGeometry& geometry, const Tensor& input) {
  const Tensor output = room(backend, outputShape(geometry));
  const Tensor indices =
      indexTensor(backend, std::vector<std::int64_t>(output.elements(), std::int64_t{-7}));
  backend.maxPool(geometry, at(input), at(output), indices.data<std::int64_t>());
  const auto expected = naive::maxPool(geometry, valuesOf(input));
  CHECK(valuesOf(output) == expected.output);
  CHECK(indices.values<std::int64_t>() == expected.indices);
}

}  // namespace

TEST_CASE("max pooling finds the maxima and where they are") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      checkMaxPool(*backend, geometry, randomTensor(*backend, inputShape(geometry), 1));
    }
  }
}

TEST_CASE("of equal maxima the first in row-major order counts") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Shape shape = inputShape(geometry);
      checkMaxPool(*backend, geometry, tensor(*backend, shape, valuesWithTies(shape.elements())));
    }
  }
}

TEST_CASE("NaN is never a maximum and infinities are numbers") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Shape shape = inputShape(geometry);
      auto values = valuesWithTies(shape.elements());
      for (float& value : values) {
        if (value == 0) value = nan;
        if (value < 0) value = -infinity;
        if (value == 3) value = infinity;
      }
      checkMaxPool(*backend, geometry, tensor(*backend, shape, values));
      checkMaxPool(*backend, geometry, room(*backend, shape));
    }
  }
}

TEST_CASE("a window of only NaN gives the lowest float and no gradient") {
  FOR_EACH_BACKEND(backend) {
    for (const std::int64_t kernel : {2, 4}) {
      const auto geometry = poolingOf(1, 4, 4, {.kW = kernel, .kH = kernel, .dW = 2, .dH = 2});
      const std::int64_t outputs = geometry.outputHeight * geometry.outputWidth;
      const Tensor input = room(*backend, {4, 4});
      const Tensor output = room(*backend, {outputs});
      const Tensor indices = indexTensor(*backend, std::vector<std::int64_t>(outputs));
      backend->maxPool(geometry, at(input), at(output), indices.data<std::int64_t>());
      CHECK(valuesOf(output) == std::vector<float>(outputs, std::numeric_limits<float>::lowest()));
      CHECK(indices.values<std::int64_t>() == std::vector<std::int64_t>(outputs, -1));
      const Tensor gradOutput = randomTensor(*backend, {outputs}, 1);
      backend->maxPoolBackward(geometry, at(gradOutput), indices.data<std::int64_t>(), at(input));
      CHECK(valuesOf(input) == std::vector<float>(16, 0.0F));
    }
  }
}

TEST_CASE("max pooling sends each gradient to the maximum") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const auto pooled =
          naive::maxPool(geometry, randomValues(inputShape(geometry).elements(), 1));
      const Tensor gradOutput = randomTensor(*backend, outputShape(geometry), 2);
      const Tensor gradInput = room(*backend, inputShape(geometry));
      const Tensor indices = indexTensor(*backend, pooled.indices);
      backend->maxPoolBackward(geometry, at(gradOutput), indices.data<std::int64_t>(),
                               at(gradInput));
      checkClose(valuesOf(gradInput),
                 naive::maxPoolBackward(geometry, valuesOf(gradOutput), pooled.indices), 1e-6);
    }
  }
}

TEST_CASE("average pooling agrees with the reference whether pads count or not") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      for (const bool countIncludePad : {true, false}) {
        const AveragePooling pooling{geometry, countIncludePad};
        const Tensor input = randomTensor(*backend, inputShape(geometry), 1);
        const Tensor output = room(*backend, outputShape(geometry));
        backend->averagePool(pooling, at(input), at(output));
        checkClose(valuesOf(output), naive::averagePool(pooling, valuesOf(input)), 1e-5);
      }
    }
  }
}

TEST_CASE("average pooling spreads each gradient over its window") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      for (const bool countIncludePad : {true, false}) {
        const AveragePooling pooling{geometry, countIncludePad};
        const Tensor gradOutput = randomTensor(*backend, outputShape(geometry), 1);
        const Tensor gradInput = room(*backend, inputShape(geometry));
        backend->averagePoolBackward(pooling, at(gradOutput), at(gradInput));
        checkClose(valuesOf(gradInput), naive::averagePoolBackward(pooling, valuesOf(gradOutput)),
                   1e-5);
      }
    }
  }
}

TEST_CASE("an average over a window that misses the image is zero") {
  FOR_EACH_BACKEND(backend) {
    for (const bool countIncludePad : {true, false}) {
      const AveragePooling pooling{withPartialWindows(poolingOf(1, 1, 1, {})), countIncludePad};
      const Tensor input = tensor(*backend, {1}, {6});
      const Tensor output = room(*backend, {4});
      backend->averagePool(pooling, at(input), at(output));
      CHECK(valuesOf(output) == std::vector<float>{6, 0, 0, 0});
    }
  }
}

TEST_CASE("pooling reaches pixels beyond 2^31") {
  constexpr std::int64_t side = 65536;
  const auto geometry =
      poolingOf(1, side, side, {.kW = 2, .kH = 2, .dW = side - 2, .dH = side - 2});
  const SparseFloats input(side * side);
  input.data()[side * side - 1] = 8;
  std::vector<float> output(4, -1.0F);
  std::vector<std::int64_t> indices(4, -7);
  cpuBackend()->maxPool(geometry, input.data(), output.data(), indices.data());
  CHECK(output == std::vector<float>{0, 0, 0, 8});
  CHECK(indices == std::vector<std::int64_t>{0, side - 2, (side - 2) * side, side * side - 1});
  cpuBackend()->averagePool({geometry, true}, input.data(), output.data());
  CHECK(output == std::vector<float>{0, 0, 0, 2});
}

}  // namespace torchette::testing

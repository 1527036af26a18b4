// im2col and col2im.
#include <doctest/doctest.h>

#include "tests/backends/operands.h"
#include "tests/backends/sparse_memory.h"
#include "tests/support/naive.h"

namespace torchette::testing {

namespace {

ColumnsGeometry columnsOf(std::int64_t planes, std::int64_t height, std::int64_t width,
                          const Window& window) {
  return {.planes = planes,
          .height = height,
          .width = width,
          .window = window,
          .columnsHeight = (height + 2 * window.padH - window.kH) / window.dH + 1,
          .columnsWidth = (width + 2 * window.padW - window.kW) / window.dW + 1};
}

/// Strides 1 to 3, padding up to more than the kernel, windows that never meet a row, sizes that
/// split.
std::vector<ColumnsGeometry> geometries() {
  return {
      columnsOf(1, 1, 1, {}),
      columnsOf(1, 28, 28, {.kW = 5, .kH = 5}),
      columnsOf(3, 9, 7, {.kW = 3, .kH = 3, .padW = 1, .padH = 1}),
      columnsOf(2, 8, 11, {.kW = 4, .kH = 2, .dW = 2, .dH = 3, .padW = 2, .padH = 1}),
      columnsOf(2, 10, 13, {.kW = 3, .kH = 5, .dW = 3, .dH = 1, .padW = 0, .padH = 4}),
      columnsOf(2, 3, 2, {.kW = 2, .kH = 2, .dW = 1, .dH = 2, .padW = 5, .padH = 4}),
      columnsOf(3, 1, 1, {.kW = 7, .kH = 7, .dW = 2, .dH = 2, .padW = 3, .padH = 3}),
      columnsOf(4, 40, 50, {.kW = 3, .kH = 3, .dW = 2, .dH = 2, .padW = 1, .padH = 1}),
      columnsOf(8, 30, 31, {.kW = 5, .kH = 3, .padW = 2, .padH = 1}),
      columnsOf(0, 5, 5, {.kW = 3, .kH = 3}),
  };
}

}  // namespace

TEST_CASE("im2col puts every image element and every padding zero in its place") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Tensor image = randomTensor(*backend, {geometry.imageElements()}, 1);
      const Tensor columns = room(*backend, {geometry.rows() * geometry.pixels()});
      backend->im2col(geometry, at(image), at(columns));
      CHECK(valuesOf(columns) == naive::im2col(geometry, valuesOf(image)));
    }
  }
}

TEST_CASE("col2im is the adjoint of im2col") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Tensor image = randomTensor(*backend, {geometry.imageElements()}, 2);
      const Tensor columns = randomTensor(*backend, {geometry.rows() * geometry.pixels()}, 3);
      const Tensor columnsOfImage = room(*backend, columns.shape());
      const Tensor imageOfColumns = room(*backend, image.shape());
      backend->im2col(geometry, at(image), at(columnsOfImage));
      backend->col2im(geometry, at(columns), at(imageOfColumns));
      const double left = naive::dot(valuesOf(columnsOfImage), valuesOf(columns));
      const double right = naive::dot(valuesOf(image), valuesOf(imageOfColumns));
      CHECK(left == doctest::Approx(right).epsilon(1e-5));
    }
  }
}

TEST_CASE("col2im counts how often im2col copies each image element") {
  FOR_EACH_BACKEND(backend) {
    const auto geometry = columnsOf(1, 3, 4, {.kW = 2, .kH = 2});
    const std::vector<float> ones(geometry.rows() * geometry.pixels(), 1.0F);
    const Tensor columns = tensor(*backend, {geometry.rows() * geometry.pixels()}, ones);
    const Tensor image = room(*backend, {3, 4});
    backend->col2im(geometry, at(columns), at(image));
    CHECK(valuesOf(image) == std::vector<float>{1, 2, 2, 1, 2, 4, 4, 2, 1, 2, 2, 1});
  }
}

TEST_CASE("a convolution built from im2col and gemm agrees with the reference") {
  FOR_EACH_BACKEND(backend) {
    const naive::Convolution convolution{
        .inputPlanes = 3,
        .height = 13,
        .width = 10,
        .outputPlanes = 4,
        .window = {.kW = 3, .kH = 4, .dW = 2, .dH = 1, .padW = 1, .padH = 2}};
    const auto geometry = columnsOf(3, 13, 10, convolution.window);
    const Tensor image = randomTensor(*backend, {geometry.imageElements()}, 4);
    const Tensor weight = randomTensor(*backend, {4, geometry.rows()}, 5);
    const Tensor columns = room(*backend, {geometry.rows(), geometry.pixels()});
    const Tensor output = room(*backend, {4, geometry.pixels()});
    backend->im2col(geometry, at(image), at(columns));
    backend->gemm({.m = 4,
                   .n = geometry.pixels(),
                   .k = geometry.rows(),
                   .a = at(weight),
                   .lda = geometry.rows(),
                   .b = at(columns),
                   .ldb = geometry.pixels(),
                   .c = at(output),
                   .ldc = geometry.pixels()});
    checkClose(valuesOf(output),
               naive::convolve(convolution, valuesOf(image), valuesOf(weight), {}), 1e-5);
  }
}

TEST_CASE("im2col and col2im reach pixels beyond 2^31") {
  constexpr std::int64_t side = 40000;
  const auto geometry = columnsOf(2, side, side, {.dW = side - 1, .dH = side - 1});
  const SparseFloats image(geometry.imageElements());
  constexpr std::int64_t lastPixel = 2 * side * side - 1;
  image.data()[lastPixel] = 5;
  std::vector<float> columns(8, -1.0F);
  cpuBackend()->im2col(geometry, image.data(), columns.data());
  CHECK(columns == std::vector<float>{0, 0, 0, 0, 0, 0, 0, 5});
}

}  // namespace torchette::testing

// im2col and its adjoint, row by row: what is padding is settled once per row, not per element.
#include <algorithm>
#include <type_traits>

#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/lanes.h"
#include "backends/cpu/window_range.h"

namespace torchette {

namespace {

using cpu::grainFor;
using cpu::parallelFor;
using cpu::Range;
using cpu::WindowAxis;
using cpu::withStride;

/// One row of the columns matrix: (plane, kernelRow, kernelColumn), and what it corresponds to.
struct ColumnsRow {
  std::int64_t plane = 0;
  std::int64_t top = 0, left = 0;  ///< image position of window position (0, 0); may be negative
  Range ys, xs;                    ///< window positions that meet the image
};

ColumnsRow columnsRow(const ColumnsGeometry& geometry, std::int64_t row) {
  const Window& window = geometry.window;
  const WindowAxis down{window.kH, window.dH, window.padH, geometry.height, geometry.columnsHeight};
  const WindowAxis across{window.kW, window.dW, window.padW, geometry.width, geometry.columnsWidth};
  const std::int64_t kernelColumn = row % window.kW;
  const std::int64_t kernelRow = row / window.kW % window.kH;
  return {.plane = row / (window.kW * window.kH),
          .top = kernelRow - window.padH,
          .left = kernelColumn - window.padW,
          .ys = down.positionsInside(kernelRow, kernelRow),
          .xs = across.positionsInside(kernelColumn, kernelColumn)};
}

template <class Stride>
void copyStrided(const float* source, Stride stride, std::int64_t count, float* destination) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) destination[i] = source[i * stride];
}

void copyStrided(const float* source, std::integral_constant<std::int64_t, 1>, std::int64_t count,
                 float* destination) {
  std::copy_n(source, count, destination);
}

template <class Stride>
void addStrided(const float* source, std::int64_t count, Stride stride, float* destination) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) destination[i * stride] += source[i];
}

void fillColumnsRow(const ColumnsGeometry& geometry, std::int64_t rowIndex, const float* image,
                    float* columns) {
  const ColumnsRow row = columnsRow(geometry, rowIndex);
  const std::int64_t width = geometry.columnsWidth;
  const float* plane = image + row.plane * geometry.height * geometry.width;
  float* out = columns + rowIndex * geometry.pixels();
  std::fill(out, out + row.ys.begin * width, 0.0F);
  std::fill(out + row.ys.end * width, out + geometry.pixels(), 0.0F);
  withStride(geometry.window.dW, [&](auto stride) {
    for (std::int64_t y = row.ys.begin; y < row.ys.end; ++y) {
      const float* source = plane + (y * geometry.window.dH + row.top) * geometry.width + row.left;
      float* outRow = out + y * width;
      std::fill(outRow, outRow + row.xs.begin, 0.0F);
      copyStrided(source + row.xs.begin * stride, stride, row.xs.length(), outRow + row.xs.begin);
      std::fill(outRow + row.xs.end, outRow + width, 0.0F);
    }
  });
}

void addColumnsRow(const ColumnsGeometry& geometry, std::int64_t rowIndex, const float* columns,
                   float* image) {
  const ColumnsRow row = columnsRow(geometry, rowIndex);
  const std::int64_t width = geometry.columnsWidth;
  float* plane = image + row.plane * geometry.height * geometry.width;
  const float* in = columns + rowIndex * geometry.pixels();
  withStride(geometry.window.dW, [&](auto stride) {
    for (std::int64_t y = row.ys.begin; y < row.ys.end; ++y) {
      float* destination = plane + (y * geometry.window.dH + row.top) * geometry.width + row.left;
      addStrided(in + y * width + row.xs.begin, row.xs.length(), stride,
                 destination + row.xs.begin * stride);
    }
  });
}

}  // namespace

void CpuBackend::im2col(const ColumnsGeometry& geometry, const float* image, float* columns) {
  parallelFor(lanes_, geometry.rows(), grainFor(geometry.pixels()),
              [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t row = begin; row < end; ++row) {
                  fillColumnsRow(geometry, row, image, columns);
                }
              });
}

void CpuBackend::col2im(const ColumnsGeometry& geometry, const float* columns, float* image) {
  const std::int64_t rowsPerPlane = geometry.window.kH * geometry.window.kW;
  const std::int64_t planeElements = geometry.height * geometry.width;
  parallelFor(lanes_, geometry.planes, grainFor(rowsPerPlane * geometry.pixels()),
              [&](std::int64_t begin, std::int64_t end) {
                std::fill(image + begin * planeElements, image + end * planeElements, 0.0F);
                for (std::int64_t row = begin * rowsPerPlane; row < end * rowsPerPlane; ++row) {
                  addColumnsRow(geometry, row, columns, image);
                }
              });
}

}  // namespace torchette

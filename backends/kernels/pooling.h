// Max and average pooling, and their gradients as gathers: each kernel writes an element once.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>

#include "backends/kernels/geometry.h"
#include "backends/kernels/qualifier.h"
#include "backends/kernels/window_axis.h"

namespace torchette::kernels {

/// Both axes of a pooling.
struct PoolingAxes {
  WindowAxis down, across;

  TORCHETTE_KERNEL explicit PoolingAxes(const PoolingGeometry& geometry)
      : down{geometry.window.kH, geometry.window.dH, geometry.window.padH, geometry.height,
             geometry.outputHeight},
        across{geometry.window.kW, geometry.window.dW, geometry.window.padW, geometry.width,
               geometry.outputWidth} {}

  /// What the sum over a window is divided by; at least 1, for windows that miss the image.
  TORCHETTE_KERNEL float divisor(std::int64_t y, std::int64_t x, bool countsPad) const {
    const std::int64_t elements = countsPad ? down.paddedLength(y) * across.paddedLength(x)
                                            : down.pixels(y).length() * across.pixels(x).length();
    return static_cast<float>(larger(1, elements));
  }
};

/// Grid: planes x outputHeight x outputWidth.
struct MaxPool {
  PoolingGeometry geometry;
  const float* input;
  float* output;
  std::int64_t* indices;

  TORCHETTE_KERNEL void operator()(std::int64_t plane, std::int64_t y, std::int64_t x) const {
    const PoolingAxes axes(geometry);
    const Range rows = axes.down.pixels(y), columns = axes.across.pixels(x);
    const float* pixels = input + plane * geometry.height * geometry.width;
    float maximum = -INFINITY;
    std::int64_t found = -1;
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      for (std::int64_t j = columns.begin; j < columns.end; ++j) {
        const float pixel = pixels[i * geometry.width + j];
        const bool isFirst = found < 0 && pixel == maximum;
        if (pixel > maximum || isFirst) {
          maximum = pixel;
          found = i * geometry.width + j;
        }
      }
    }
    const std::int64_t at = (plane * geometry.outputHeight + y) * geometry.outputWidth + x;
    output[at] = found < 0 ? -FLT_MAX : maximum;
    indices[at] = found;
  }
};

/// Adds, by windows, the gradients of those whose maximum the pixel is. Grid: planes x height x
/// width.
struct MaxPoolBackward {
  PoolingGeometry geometry;
  const float* gradOutput;
  const std::int64_t* indices;
  float* gradInput;

  TORCHETTE_KERNEL void operator()(std::int64_t plane, std::int64_t row,
                                   std::int64_t column) const {
    const PoolingAxes axes(geometry);
    const Range ys = axes.down.positionsOver(row), xs = axes.across.positionsOver(column);
    const std::int64_t pixel = row * geometry.width + column;
    float sum = 0;
    for (std::int64_t y = ys.begin; y < ys.end; ++y) {
      for (std::int64_t x = xs.begin; x < xs.end; ++x) {
        const std::int64_t at = (plane * geometry.outputHeight + y) * geometry.outputWidth + x;
        if (indices[at] == pixel) sum += gradOutput[at];
      }
    }
    gradInput[plane * geometry.height * geometry.width + pixel] = sum;
  }
};

/// Grid: planes x outputHeight x outputWidth.
struct AveragePool {
  PoolingGeometry geometry;
  bool countsPad;
  const float* input;
  float* output;

  TORCHETTE_KERNEL void operator()(std::int64_t plane, std::int64_t y, std::int64_t x) const {
    const PoolingAxes axes(geometry);
    const Range rows = axes.down.pixels(y), columns = axes.across.pixels(x);
    const float* pixels = input + plane * geometry.height * geometry.width;
    float sum = 0;
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      for (std::int64_t j = columns.begin; j < columns.end; ++j) {
        sum += pixels[i * geometry.width + j];
      }
    }
    output[(plane * geometry.outputHeight + y) * geometry.outputWidth + x] =
        sum / axes.divisor(y, x, countsPad);
  }
};

/// Adds the shares of all windows that hold the pixel, by rows of windows and in a row from right
/// to left, as the CPU backend's loops reach a pixel. Grid: planes x height x width.
struct AveragePoolBackward {
  PoolingGeometry geometry;
  bool countsPad;
  const float* gradOutput;
  float* gradInput;

  TORCHETTE_KERNEL void operator()(std::int64_t plane, std::int64_t row,
                                   std::int64_t column) const {
    const PoolingAxes axes(geometry);
    const Range ys = axes.down.positionsOver(row), xs = axes.across.positionsOver(column);
    float sum = 0;
    for (std::int64_t y = ys.begin; y < ys.end; ++y) {
      const float* gradients =
          gradOutput + (plane * geometry.outputHeight + y) * geometry.outputWidth;
      for (std::int64_t x = xs.end; x-- > xs.begin;) {
        sum += gradients[x] / axes.divisor(y, x, countsPad);
      }
    }
    gradInput[(plane * geometry.height + row) * geometry.width + column] = sum;
  }
};

}  // namespace torchette::kernels

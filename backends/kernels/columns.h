// im2col and its adjoint. Both write each element of their result once.
#pragma once

#include <cstdint>

#include "backends/kernels/geometry.h"
#include "backends/kernels/qualifier.h"
#include "backends/kernels/window_axis.h"

namespace torchette::kernels {

/// Grid: rows of the columns matrix x columnsHeight x columnsWidth.
struct Im2Col {
  ColumnsGeometry geometry;
  const float* image;
  float* columns;

  TORCHETTE_KERNEL void operator()(std::int64_t row, std::int64_t y, std::int64_t x) const {
    const Window& window = geometry.window;
    const std::int64_t plane = row / (window.kW * window.kH);
    const std::int64_t imageY = y * window.dH - window.padH + row / window.kW % window.kH;
    const std::int64_t imageX = x * window.dW - window.padW + row % window.kW;
    const bool isInside =
        imageY >= 0 && imageY < geometry.height && imageX >= 0 && imageX < geometry.width;
    columns[(row * geometry.columnsHeight + y) * geometry.columnsWidth + x] =
        isInside ? image[(plane * geometry.height + imageY) * geometry.width + imageX] : 0;
  }
};

/// Gathers for each image element what im2col copied it to, by rows of the columns matrix.
/// Grid: planes x height x width of the image.
struct Col2Im {
  ColumnsGeometry geometry;
  const float* columns;
  float* image;

  TORCHETTE_KERNEL void operator()(std::int64_t plane, std::int64_t row,
                                   std::int64_t column) const {
    const Window& window = geometry.window;
    const WindowAxis down{window.kH, window.dH, window.padH, geometry.height,
                          geometry.columnsHeight};
    const WindowAxis across{window.kW, window.dW, window.padW, geometry.width,
                            geometry.columnsWidth};
    float sum = 0;
    for (std::int64_t i = 0; i < window.kH; ++i) {
      const std::int64_t y = down.positionOf(row, i);
      if (y < 0) continue;
      for (std::int64_t j = 0; j < window.kW; ++j) {
        const std::int64_t x = across.positionOf(column, j);
        if (x < 0) continue;
        const std::int64_t columnsRow = (plane * window.kH + i) * window.kW + j;
        sum += columns[(columnsRow * geometry.columnsHeight + y) * geometry.columnsWidth + x];
      }
    }
    image[(plane * geometry.height + row) * geometry.width + column] = sum;
  }
};

}  // namespace torchette::kernels

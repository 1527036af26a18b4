// Plain structs that describe the blocks operations work on. Extents are in elements, row-major.
// This header includes nothing beyond kernels/ but <cstdint>, so that it compiles for any device.
#pragma once

#include <cstdint>

#include "backends/kernels/qualifier.h"

namespace torchette {

/// A sliding window: kernel, stride and padding, in pixels. W runs along a row, H down a column.
struct Window {
  std::int64_t kW = 1, kH = 1;
  std::int64_t dW = 1, dH = 1;
  std::int64_t padW = 0, padH = 0;
};

/// The correspondence between one image (planes x height x width) and its columns matrix
/// (rows() x pixels()): row (plane, kernelRow, kernelColumn), pixel (y, x) holds image element
/// (plane, y * dH - padH + kernelRow, x * dW - padW + kernelColumn), or 0 in the padding.
struct ColumnsGeometry {
  std::int64_t planes = 0, height = 0, width = 0;
  Window window;
  std::int64_t columnsHeight = 0, columnsWidth = 0;  ///< number of window positions down and across

  TORCHETTE_KERNEL std::int64_t rows() const { return planes * window.kH * window.kW; }
  TORCHETTE_KERNEL std::int64_t pixels() const { return columnsHeight * columnsWidth; }
  TORCHETTE_KERNEL std::int64_t imageElements() const { return planes * height * width; }
};

/// Pooling of `planes` independent planes (samples times feature planes) of height x width.
struct PoolingGeometry {
  std::int64_t planes = 0, height = 0, width = 0;
  Window window;
  std::int64_t outputHeight = 0, outputWidth = 0;
};

/// A tensor seen as samples x planes x pixels; a matrix has one pixel.
struct PlanesGeometry {
  std::int64_t samples = 0, planes = 0, pixels = 0;

  TORCHETTE_KERNEL std::int64_t elementsPerPlane() const { return samples * pixels; }
  /// Where the nth element of a plane is; they count by sample, then by pixel.
  TORCHETTE_KERNEL std::int64_t index(std::int64_t plane, std::int64_t nth) const {
    return (nth / pixels * planes + plane) * pixels + nth % pixels;
  }
};

/// A tensor seen as outer x classes x inner; the softmax runs over the classes.
struct SoftMaxGeometry {
  std::int64_t outer = 0, classes = 0, inner = 0;
};

}  // namespace torchette

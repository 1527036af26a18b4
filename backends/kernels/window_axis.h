// Where a sliding window meets an image, along one axis.
#pragma once

#include <cstdint>

#include "backends/kernels/qualifier.h"

namespace torchette::kernels {

TORCHETTE_KERNEL inline std::int64_t smaller(std::int64_t a, std::int64_t b) {
  return a < b ? a : b;
}
TORCHETTE_KERNEL inline std::int64_t larger(std::int64_t a, std::int64_t b) {
  return a < b ? b : a;
}

/// The integers in [begin, end).
struct Range {
  std::int64_t begin = 0, end = 0;

  TORCHETTE_KERNEL std::int64_t length() const { return end - begin; }
  TORCHETTE_KERNEL bool contains(std::int64_t i) const { return begin <= i && i < end; }
};

/// A window axis: `positions` windows, `stride` apart, the first starting at -pad, over [0,
/// extent).
struct WindowAxis {
  std::int64_t kernel = 1, stride = 1, pad = 0;
  std::int64_t extent = 0, positions = 0;

  /// First pixel of a window; may lie in the padding.
  TORCHETTE_KERNEL std::int64_t start(std::int64_t position) const {
    return position * stride - pad;
  }
  /// Pixels of a window that are inside the image; begin >= end if there are none.
  TORCHETTE_KERNEL Range pixels(std::int64_t position) const {
    const std::int64_t first = start(position);
    return {larger(first, 0), smaller(first + kernel, extent)};
  }
  /// Pixels of a window that are inside the image with its padding.
  TORCHETTE_KERNEL std::int64_t paddedLength(std::int64_t position) const {
    return smaller(kernel, extent + pad - start(position));
  }
  /// Positions at which the window's pixels [first, last] are all inside the image.
  TORCHETTE_KERNEL Range positionsInside(std::int64_t first, std::int64_t last) const {
    const std::int64_t begin = positionsBefore(pad - first);
    const std::int64_t end = smaller(positions, positionsBefore(extent + pad - last));
    return {smaller(begin, end), end};
  }
  /// Positions at which every pixel of the window is inside the image.
  TORCHETTE_KERNEL Range positionsInside() const { return positionsInside(0, kernel - 1); }
  /// Positions at which the window holds a pixel.
  TORCHETTE_KERNEL Range positionsOver(std::int64_t pixel) const {
    const std::int64_t end = smaller(positions, positionsBefore(pixel + pad + 1));
    return {smaller(positionsBefore(pixel + pad - kernel + 1), end), end};
  }
  /// The position at which pixel number `nth` of the window is `pixel`; -1 if there is none.
  TORCHETTE_KERNEL std::int64_t positionOf(std::int64_t pixel, std::int64_t nth) const {
    const std::int64_t distance = pixel + pad - nth;
    const bool exists = distance >= 0 && distance % stride == 0 && distance / stride < positions;
    return exists ? distance / stride : -1;
  }

 private:
  /// How many positions p >= 0 have p * stride < limit.
  TORCHETTE_KERNEL std::int64_t positionsBefore(std::int64_t limit) const {
    return limit <= 0 ? 0 : (limit + stride - 1) / stride;
  }
};

}  // namespace torchette::kernels

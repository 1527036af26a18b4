// Where a sliding window meets an image, along one axis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace torchette::cpu {

/// The integers in [begin, end).
struct Range {
  std::int64_t begin = 0, end = 0;

  std::int64_t length() const { return end - begin; }
  bool contains(std::int64_t i) const { return begin <= i && i < end; }
};

/// A window axis: `positions` windows, `stride` apart, the first starting at -pad, over [0, extent).
struct WindowAxis {
  std::int64_t kernel = 1, stride = 1, pad = 0;
  std::int64_t extent = 0, positions = 0;

  /// First pixel of a window; may lie in the padding.
  std::int64_t start(std::int64_t position) const { return position * stride - pad; }
  /// Pixels of a window that are inside the image; begin >= end if there are none.
  Range pixels(std::int64_t position) const {
    const std::int64_t first = start(position);
    return {std::max<std::int64_t>(first, 0), std::min(first + kernel, extent)};
  }
  /// Pixels of a window that are inside the image with its padding.
  std::int64_t paddedLength(std::int64_t position) const {
    return std::min(kernel, extent + pad - start(position));
  }
  /// Positions at which the window's pixels [first, last] are all inside the image.
  Range positionsInside(std::int64_t first, std::int64_t last) const {
    const std::int64_t begin = positionsBefore(pad - first);
    const std::int64_t end = std::min(positions, positionsBefore(extent + pad - last));
    return {std::min(begin, end), end};
  }
  /// Positions at which every pixel of the window is inside the image.
  Range positionsInside() const { return positionsInside(0, kernel - 1); }

 private:
  /// How many positions p >= 0 have p * stride < limit.
  std::int64_t positionsBefore(std::int64_t limit) const {
    return limit <= 0 ? 0 : (limit + stride - 1) / stride;
  }
};

/// Calls body with the stride, as a compile-time constant where that lets loops vectorise.
template <class Body>
void withStride(std::int64_t stride, const Body& body) {
  if (stride == 1) return body(std::integral_constant<std::int64_t, 1>());
  if (stride == 2) return body(std::integral_constant<std::int64_t, 2>());
  body(stride);
}

}  // namespace torchette::cpu

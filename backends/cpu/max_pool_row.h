// Max pooling of one row of windows.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "backends/cpu/plane_windows.h"

namespace torchette::cpu {

/// One row of outputs, and of positions of the maxima within the plane; -1 where there is none.
struct MaxPoolRow {
  float* output;
  std::int64_t* indices;
};

/// Pools the windows xs of row y.
using MaxPoolWindows = void (*)(const PlaneWindows& windows, const float* plane, std::int64_t y,
                                Range xs, const MaxPoolRow& row);

/// Windows of any kind: each is clipped to the plane.
inline void maxPoolAny(const PlaneWindows& windows, const float* plane, std::int64_t y, Range xs,
                       const MaxPoolRow& row) {
  const Range pixelRows = windows.down.pixels(y);
  for (std::int64_t x = xs.begin; x < xs.end; ++x) {
    const Range pixelColumns = windows.across.pixels(x);
    float value = -std::numeric_limits<float>::infinity();
    std::int64_t index = -1;
    for (std::int64_t i = pixelRows.begin; i < pixelRows.end; ++i) {
      for (std::int64_t j = pixelColumns.begin; j < pixelColumns.end; ++j) {
        const std::int64_t candidate = i * windows.across.extent + j;
        const bool isFirst = index < 0 && plane[candidate] == value;
        if (plane[candidate] > value || isFirst) {
          value = plane[candidate];
          index = candidate;
        }
      }
    }
    row.output[x] = index < 0 ? std::numeric_limits<float>::lowest() : value;
    row.indices[x] = index;
  }
}

/// Square windows inside the plane, of a size known to the compiler. Each step is a loop over
/// neighbouring windows of its own, because that is what compilers turn into vector code.
template <int kernel, int stride>
class InsideWindows {
 public:
  static void maxPool(const PlaneWindows& windows, const float* plane, std::int64_t y, Range xs,
                      const MaxPoolRow& row) {
    const std::int64_t width = windows.across.extent;
    Offsets offsets;
    for (std::int64_t x = xs.begin; x < xs.end; x += capacity) {
      const std::int64_t count = std::min(capacity, xs.end - x);
      const std::int64_t start = windows.down.start(y) * width + windows.across.start(x);
      const Rows rows{plane + start, static_cast<std::int32_t>(width), count};
      findMaxima(rows, row.output + x, Taps());
      findOffsets(rows, row.output + x, offsets, Taps());
      storeIndices(start, count, offsets, row.output + x, row.indices + x);
    }
  }

 private:
  static constexpr std::int64_t capacity = 256;
  static constexpr int last = kernel * kernel - 1;
  using Taps = std::make_integer_sequence<int, kernel * kernel>;

  /// Position of the maximum relative to its window's first pixel; -1 for none.
  using Offsets = std::array<std::int32_t, capacity>;

  /// `count` windows, the first beginning at `first`.
  struct Rows {
    const float* first;
    std::int32_t width;
    std::int64_t count;

    std::int32_t offset(int tap) const { return tap / kernel * width + tap % kernel; }
  };

  template <int... tap>
  static void findMaxima(Rows rows, float* __restrict output, std::integer_sequence<int, tap...>) {
    for (std::int64_t x = 0; x < rows.count; ++x) {
      const float* window = rows.first + x * stride;
      float value = -std::numeric_limits<float>::infinity();
      ((value = window[rows.offset(tap)] > value ? window[rows.offset(tap)] : value), ...);
      output[x] = value;
    }
  }

  /// From the last pixel to the first, so that the first of equal pixels stays. NaN equals nothing.
  template <int... tap>
  static void findOffsets(Rows rows, const float* __restrict maxima, Offsets& offsets,
                          std::integer_sequence<int, tap...>) {
    for (std::int64_t x = 0; x < rows.count; ++x) {
      const float* window = rows.first + x * stride;
      const float maximum = maxima[x];
      std::int32_t found = -1;
      ((found = window[rows.offset(last - tap)] == maximum ? rows.offset(last - tap) : found), ...);
      offsets[x] = found;
    }
  }

  static void storeIndices(std::int64_t start, std::int64_t count, const Offsets& offsets,
                           float* __restrict output, std::int64_t* __restrict indices) {
    for (std::int64_t x = 0; x < count; ++x) {
      const std::int64_t offset = offsets[x];
      indices[x] = offset < 0 ? -1 : start + x * stride + offset;
      output[x] = offset < 0 ? std::numeric_limits<float>::lowest() : output[x];
    }
  }
};

/// The fastest way to pool windows that are inside the plane.
inline MaxPoolWindows maxPoolForInside(const PlaneWindows& windows) {
  const WindowAxis& down = windows.down;
  const WindowAxis& across = windows.across;
  const bool isSquare = down.kernel == across.kernel && down.stride == across.stride;
  const bool fitsOffsets = across.extent < std::int64_t{1} << 28;
  if (isSquare && fitsOffsets) {
    if (across.kernel == 2 && across.stride == 2) return InsideWindows<2, 2>::maxPool;
    if (across.kernel == 3 && across.stride == 2) return InsideWindows<3, 2>::maxPool;
    if (across.kernel == 3 && across.stride == 1) return InsideWindows<3, 1>::maxPool;
  }
  return maxPoolAny;
}

}  // namespace torchette::cpu

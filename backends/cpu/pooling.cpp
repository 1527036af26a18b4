// Max and average pooling, plane by plane and there row by row.
#include <algorithm>

#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/max_pool_row.h"
#include "backends/cpu/plane_windows.h"

namespace torchette {

namespace {

using cpu::forEachPlane;
using cpu::PlaneWindows;
using cpu::Range;
using cpu::withStride;

void maxPoolPlane(const PlaneWindows& windows, cpu::MaxPoolWindows maxPoolInside,
                  const float* input, float* output, std::int64_t* indices) {
  const std::int64_t width = windows.across.positions;
  for (std::int64_t y = 0; y < windows.down.positions; ++y) {
    const Range inside = windows.ysInside.contains(y) ? windows.xsInside : Range{};
    const cpu::MaxPoolRow row{output + y * width, indices + y * width};
    cpu::maxPoolAny(windows, input, y, {0, inside.begin}, row);
    maxPoolInside(windows, input, y, inside, row);
    cpu::maxPoolAny(windows, input, y, {inside.end, width}, row);
  }
}

/// The windows of one row of an average pooling over one plane.
class AverageRow {
 public:
  AverageRow(const PlaneWindows& windows, bool countsPad, std::int64_t y)
      : windows_(windows), countsPad_(countsPad), y_(y), pixelRows_(windows.down.pixels(y)) {
    constexpr std::int64_t fewestTogether = 4;
    if (windows.xsInside.length() >= fewestTogether) inside_ = windows.xsInside;
  }

  /// output[x] = average of window x
  void average(const float* plane, float* output) const {
    averageClipped(plane, {0, inside_.begin}, output);
    averageInside(plane, output);
    averageClipped(plane, {inside_.end, windows_.across.positions}, output);
  }

  /// Adds to each pixel of window x its share of gradOutput[x]. A pixel gets the shares from right
  /// to left, whichever windows are worked on together.
  void spread(const float* gradOutput, float* plane) const {
    spreadClipped(gradOutput, {inside_.end, windows_.across.positions}, plane);
    spreadInside(gradOutput, plane);
    spreadClipped(gradOutput, {0, inside_.begin}, plane);
  }

 private:
  /// What the sum over a window is divided by; at least 1, for windows that miss the image.
  float divisor(std::int64_t x) const {
    const std::int64_t elements =
        countsPad_ ? windows_.down.paddedLength(y_) * windows_.across.paddedLength(x)
                   : pixelRows_.length() * windows_.across.pixels(x).length();
    return static_cast<float>(std::max<std::int64_t>(1, elements));
  }

  /// Calls body(index) for the pixels of window x, row-major.
  template <class Body>
  void forEachPixel(std::int64_t x, const Body& body) const {
    const Range pixelColumns = windows_.across.pixels(x);
    for (std::int64_t i = pixelRows_.begin; i < pixelRows_.end; ++i) {
      for (std::int64_t j = pixelColumns.begin; j < pixelColumns.end; ++j) {
        body(i * windows_.across.extent + j);
      }
    }
  }

  /// Calls body(index, stride) for the pixels, row-major, of the first window that is inside along
  /// x; those of the next windows follow at the stride.
  template <class Body>
  void forEachInsidePixel(const Body& body) const {
    withStride(windows_.across.stride, [&](auto stride) {
      const std::int64_t left = windows_.across.start(inside_.begin);
      for (std::int64_t i = pixelRows_.begin; i < pixelRows_.end; ++i) {
        for (std::int64_t j = left; j < left + windows_.across.kernel; ++j) {
          body(i * windows_.across.extent + j, stride);
        }
      }
    });
  }

  void averageClipped(const float* plane, Range xs, float* output) const {
    for (std::int64_t x = xs.begin; x < xs.end; ++x) {
      float sum = 0;
      forEachPixel(x, [&](std::int64_t i) { sum += plane[i]; });
      output[x] = sum / divisor(x);
    }
  }

  void averageInside(const float* plane, float* output) const {
    const std::int64_t count = inside_.length();
    if (count == 0) return;
    float* first = output + inside_.begin;
    std::fill_n(first, count, 0.0F);
    forEachInsidePixel([&](std::int64_t start, auto stride) {
#pragma omp simd
      for (std::int64_t x = 0; x < count; ++x) first[x] += plane[start + x * stride];
    });
    const float divisorInside = divisor(inside_.begin);
    for (std::int64_t x = 0; x < count; ++x) first[x] /= divisorInside;
  }

  void spreadClipped(const float* gradOutput, Range xs, float* plane) const {
    for (std::int64_t x = xs.end; x-- > xs.begin;) {
      const float share = gradOutput[x] / divisor(x);
      forEachPixel(x, [&](std::int64_t i) { plane[i] += share; });
    }
  }

  void spreadInside(const float* gradOutput, float* plane) const {
    const std::int64_t count = inside_.length();
    if (count == 0) return;
    const float* first = gradOutput + inside_.begin;
    const float divisorInside = divisor(inside_.begin);
    forEachInsidePixel([&](std::int64_t start, auto stride) {
#pragma omp simd
      for (std::int64_t x = 0; x < count; ++x) {
        plane[start + x * stride] += first[x] / divisorInside;
      }
    });
  }

  const PlaneWindows& windows_;
  bool countsPad_;
  std::int64_t y_;
  Range pixelRows_;
  Range inside_;  ///< windows that are inside along x and worked on together
};

}  // namespace

void CpuBackend::maxPool(const PoolingGeometry& geometry, const float* input, float* output,
                         std::int64_t* indices) {
  const auto maxPoolInside = cpu::maxPoolForInside(PlaneWindows(geometry));
  forEachPlane(lanes_, geometry, [=](const PlaneWindows& windows, std::int64_t plane) {
    maxPoolPlane(windows, maxPoolInside, input + plane * windows.inputElements(),
                 output + plane * windows.outputElements(),
                 indices + plane * windows.outputElements());
  });
}

void CpuBackend::maxPoolBackward(const PoolingGeometry& geometry, const float* gradOutput,
                                 const std::int64_t* indices, float* gradInput) {
  forEachPlane(lanes_, geometry, [=](const PlaneWindows& windows, std::int64_t plane) {
    float* gradPlane = gradInput + plane * windows.inputElements();
    std::fill_n(gradPlane, windows.inputElements(), 0.0F);
    const std::int64_t first = plane * windows.outputElements();
    for (std::int64_t i = first; i < first + windows.outputElements(); ++i) {
      if (indices[i] >= 0) gradPlane[indices[i]] += gradOutput[i];
    }
  });
}

void CpuBackend::averagePool(const AveragePooling& pooling, const float* input, float* output) {
  const bool countsPad = pooling.countIncludePad;
  forEachPlane(lanes_, pooling.geometry, [=](const PlaneWindows& windows, std::int64_t plane) {
    for (std::int64_t y = 0; y < windows.down.positions; ++y) {
      AverageRow(windows, countsPad, y)
          .average(input + plane * windows.inputElements(),
                   output + plane * windows.outputElements() + y * windows.across.positions);
    }
  });
}

void CpuBackend::averagePoolBackward(const AveragePooling& pooling, const float* gradOutput,
                                     float* gradInput) {
  const bool countsPad = pooling.countIncludePad;
  forEachPlane(lanes_, pooling.geometry, [=](const PlaneWindows& windows, std::int64_t plane) {
    float* gradPlane = gradInput + plane * windows.inputElements();
    std::fill_n(gradPlane, windows.inputElements(), 0.0F);
    for (std::int64_t y = 0; y < windows.down.positions; ++y) {
      AverageRow(windows, countsPad, y)
          .spread(gradOutput + plane * windows.outputElements() + y * windows.across.positions,
                  gradPlane);
    }
  });
}

}  // namespace torchette

// SoftMax and LogSoftMax. Sums are in double.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/exponential.h"
#include "backends/cpu/lanes.h"

namespace torchette {

namespace {

/// Neighbouring softmaxes that are worked on together, as columns of a matrix with a row per class:
/// class c of column i has index start + c * stride + i. A single softmax over contiguous classes
/// has stride 1.
struct Strip {
  static constexpr std::int64_t capacity = 128;

  std::int64_t start = 0, classes = 0, stride = 1, columns = 1;

  bool isContiguous() const { return stride == 1; }
  std::int64_t rowStart(std::int64_t row) const { return start + row * stride; }
};

template <class T>
using PerColumn = std::array<T, Strip::capacity>;

/// Calls body(strip) for strips that cover the tensor, in parallel.
template <class Body>
void forEachStrip(int lanes, const SoftMaxGeometry& geometry, const Body& body) {
  const std::int64_t stripsPerOuter = (geometry.inner + Strip::capacity - 1) / Strip::capacity;
  const std::int64_t stripElements = geometry.classes * std::min(geometry.inner, Strip::capacity);
  cpu::parallelFor(
      lanes, geometry.outer * stripsPerOuter, cpu::grainFor(stripElements),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t index = begin; index < end; ++index) {
          const std::int64_t outer = index / stripsPerOuter;
          const std::int64_t inner = index % stripsPerOuter * Strip::capacity;
          body(Strip{outer * geometry.classes * geometry.inner + inner, geometry.classes,
                     geometry.inner, std::min(Strip::capacity, geometry.inner - inner)});
        }
      });
}

PerColumn<float> maxima(const Strip& strip, const float* input) {
  PerColumn<float> maxima;
  std::fill_n(maxima.begin(), strip.columns, -std::numeric_limits<float>::infinity());
  if (strip.isContiguous()) {
    float maximum = maxima[0];
#pragma omp simd reduction(max : maximum)
    for (std::int64_t i = strip.start; i < strip.start + strip.classes; ++i) {
      maximum = input[i] > maximum ? input[i] : maximum;
    }
    maxima[0] = maximum;
    return maxima;
  }
  for (std::int64_t row = 0; row < strip.classes; ++row) {
    const float* values = input + strip.rowStart(row);
#pragma omp simd
    for (std::int64_t i = 0; i < strip.columns; ++i) {
      maxima[i] = values[i] > maxima[i] ? values[i] : maxima[i];
    }
  }
  return maxima;
}

/// For each column, the sum of term(index) over its classes.
template <class Term>
PerColumn<double> sums(const Strip& strip, const Term& term) {
  PerColumn<double> sums;
  std::fill_n(sums.begin(), strip.columns, 0.0);
  if (strip.isContiguous()) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = strip.start; i < strip.start + strip.classes; ++i) {
      sum += static_cast<double>(term(i));
    }
    sums[0] = sum;
    return sums;
  }
  for (std::int64_t row = 0; row < strip.classes; ++row) {
#pragma omp simd
    for (std::int64_t i = 0; i < strip.columns; ++i) {
      sums[i] += static_cast<double>(term(strip.rowStart(row) + i));
    }
  }
  return sums;
}

/// Calls work(index, column) for every element.
template <class Work>
void forEachElement(const Strip& strip, const Work& work) {
  if (strip.isContiguous()) {
#pragma omp simd
    for (std::int64_t i = strip.start; i < strip.start + strip.classes; ++i) work(i, 0);
    return;
  }
  for (std::int64_t row = 0; row < strip.classes; ++row) {
#pragma omp simd
    for (std::int64_t i = 0; i < strip.columns; ++i) work(strip.rowStart(row) + i, i);
  }
}

/// function(value) for each column, as float.
template <class Function>
PerColumn<float> mapColumns(const Strip& strip, const PerColumn<double>& values,
                            const Function& function) {
  PerColumn<float> results;
  for (std::int64_t i = 0; i < strip.columns; ++i) {
    results[i] = static_cast<float>(function(values[i]));
  }
  return results;
}

/// output = exp(input - maximum), and the sums of that over the classes.
PerColumn<double> exponentials(const Strip& strip, const PerColumn<float>& maximum,
                               const float* input, float* output) {
  forEachElement(strip, [=, &maximum](std::int64_t i, std::int64_t column) {
    output[i] = cpu::exponential(input[i] - maximum[column]);
  });
  return sums(strip, [=](std::int64_t i) { return output[i]; });
}

}  // namespace

void CpuBackend::softMax(const SoftMaxGeometry& geometry, const float* input, float* output) {
  forEachStrip(lanes_, geometry, [=](const Strip& strip) {
    const auto sum = exponentials(strip, maxima(strip, input), input, output);
    const auto factor = mapColumns(strip, sum, [](double value) { return 1 / value; });
    forEachElement(
        strip, [=, &factor](std::int64_t i, std::int64_t column) { output[i] *= factor[column]; });
  });
}

void CpuBackend::softMaxBackward(const SoftMaxGeometry& geometry, const float* output,
                                 const float* gradOutput, float* gradInput) {
  forEachStrip(lanes_, geometry, [=](const Strip& strip) {
    const auto sum = sums(strip, [=](std::int64_t i) {
      return static_cast<double>(gradOutput[i]) * static_cast<double>(output[i]);
    });
    const auto mean = mapColumns(strip, sum, [](double value) { return value; });
    forEachElement(strip, [=, &mean](std::int64_t i, std::int64_t column) {
      gradInput[i] = output[i] * (gradOutput[i] - mean[column]);
    });
  });
}

void CpuBackend::logSoftMax(const SoftMaxGeometry& geometry, const float* input, float* output) {
  forEachStrip(lanes_, geometry, [=](const Strip& strip) {
    const auto maximum = maxima(strip, input);
    const auto sum = exponentials(strip, maximum, input, output);
    const auto logSum = mapColumns(strip, sum, [](double value) { return std::log(value); });
    forEachElement(strip, [=, &maximum, &logSum](std::int64_t i, std::int64_t column) {
      output[i] = input[i] - maximum[column] - logSum[column];
    });
  });
}

void CpuBackend::logSoftMaxBackward(const SoftMaxGeometry& geometry, const float* output,
                                    const float* gradOutput, float* gradInput) {
  forEachStrip(lanes_, geometry, [=](const Strip& strip) {
    const auto sum = sums(strip, [=](std::int64_t i) { return gradOutput[i]; });
    const auto total = mapColumns(strip, sum, [](double value) { return value; });
    forEachElement(strip, [=, &total](std::int64_t i, std::int64_t column) {
      gradInput[i] = gradOutput[i] - cpu::exponential(output[i]) * total[column];
    });
  });
}

}  // namespace torchette

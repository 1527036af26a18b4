// SoftMax and LogSoftMax. One point of the grid (1 x outer x inner) works on all classes; sums are
// in double.
#pragma once

#include <cmath>
#include <cstdint>

#include "backends/kernels/geometry.h"
#include "backends/kernels/qualifier.h"

namespace torchette::kernels {

/// The classes of one softmax: indices begin, begin + stride, ... below end.
struct ClassIndices {
  std::int64_t begin, end, stride;

  TORCHETTE_KERNEL ClassIndices(const SoftMaxGeometry& geometry, std::int64_t outer,
                                std::int64_t inner)
      : begin(outer * geometry.classes * geometry.inner + inner),
        end(begin + geometry.classes * geometry.inner),
        stride(geometry.inner) {}

  TORCHETTE_KERNEL float maximumOf(const float* values) const {
    float maximum = -INFINITY;
    for (std::int64_t i = begin; i < end; i += stride) {
      maximum = values[i] > maximum ? values[i] : maximum;
    }
    return maximum;
  }
};

struct SoftMax {
  SoftMaxGeometry geometry;
  const float* input;
  float* output;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t outer, std::int64_t inner) const {
    const ClassIndices classes(geometry, outer, inner);
    const float maximum = classes.maximumOf(input);
    double sum = 0;
    for (std::int64_t i = classes.begin; i < classes.end; i += classes.stride) {
      output[i] = std::exp(input[i] - maximum);
      sum += static_cast<double>(output[i]);
    }
    const auto factor = static_cast<float>(1 / sum);
    for (std::int64_t i = classes.begin; i < classes.end; i += classes.stride) {
      output[i] *= factor;
    }
  }
};

struct SoftMaxBackward {
  SoftMaxGeometry geometry;
  const float* output;
  const float* gradOutput;
  float* gradInput;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t outer, std::int64_t inner) const {
    const ClassIndices classes(geometry, outer, inner);
    double sum = 0;
    for (std::int64_t i = classes.begin; i < classes.end; i += classes.stride) {
      sum += static_cast<double>(gradOutput[i]) * static_cast<double>(output[i]);
    }
    const auto mean = static_cast<float>(sum);
    for (std::int64_t i = classes.begin; i < classes.end; i += classes.stride) {
      gradInput[i] = output[i] * (gradOutput[i] - mean);
    }
  }
};

struct LogSoftMax {
  SoftMaxGeometry geometry;
  const float* input;
  float* output;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t outer, std::int64_t inner) const {
    const ClassIndices classes(geometry, outer, inner);
    const float maximum = classes.maximumOf(input);
    double sum = 0;
    for (std::int64_t i = classes.begin; i < classes.end; i += classes.stride) {
      sum += static_cast<double>(std::exp(input[i] - maximum));
    }
    const auto logSum = static_cast<float>(std::log(sum));
    for (std::int64_t i = classes.begin; i < classes.end; i += classes.stride) {
      output[i] = input[i] - maximum - logSum;
    }
  }
};

struct LogSoftMaxBackward {
  SoftMaxGeometry geometry;
  const float* output;
  const float* gradOutput;
  float* gradInput;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t outer, std::int64_t inner) const {
    const ClassIndices classes(geometry, outer, inner);
    double sum = 0;
    for (std::int64_t i = classes.begin; i < classes.end; i += classes.stride) {
      sum += static_cast<double>(gradOutput[i]);
    }
    const auto total = static_cast<float>(sum);
    for (std::int64_t i = classes.begin; i < classes.end; i += classes.stride) {
      gradInput[i] = gradOutput[i] - std::exp(output[i]) * total;
    }
  }
};

}  // namespace torchette::kernels

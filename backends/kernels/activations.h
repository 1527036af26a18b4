// Non-linearities and their derivatives. They run on a grid of one row.
#pragma once

#include <cmath>
#include <cstdint>

#include "backends/kernels/qualifier.h"

namespace torchette::kernels {

// Each function has a value, and a gradient: the derivative at a reference, which is the output for
// Tanh and Sigmoid and the input or the output for the others, times the output's gradient.

struct Threshold {
  float threshold, replacement;

  TORCHETTE_KERNEL float value(float x) const { return x > threshold ? x : replacement; }
  TORCHETTE_KERNEL float gradient(float at, float gradOutput) const {
    return at > threshold ? gradOutput : 0;
  }
};

struct LeakyRelu {
  float negativeSlope;

  TORCHETTE_KERNEL float value(float x) const { return x * (x > 0 ? 1 : negativeSlope); }
  TORCHETTE_KERNEL float gradient(float at, float gradOutput) const {
    return gradOutput * (at > 0 ? 1 : negativeSlope);
  }
};

struct Tanh {
  TORCHETTE_KERNEL float value(float x) const { return std::tanh(x); }
  TORCHETTE_KERNEL float gradient(float output, float gradOutput) const {
    return gradOutput * (1 - output * output);
  }
};

struct Sigmoid {
  TORCHETTE_KERNEL float value(float x) const { return 1 / (1 + std::exp(-x)); }
  TORCHETTE_KERNEL float gradient(float output, float gradOutput) const {
    return gradOutput * (1 - output) * output;
  }
};

/// y = function(x); y may be x.
template <class Function>
struct Activate {
  Function function;
  const float* x;
  float* y;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t i) const {
    y[i] = function.value(x[i]);
  }
};

/// gradInput = gradient of function; gradInput may be gradOutput.
template <class Function>
struct ActivateBackward {
  Function function;
  const float* reference;
  const float* gradOutput;
  float* gradInput;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t i) const {
    gradInput[i] = function.gradient(reference[i], gradOutput[i]);
  }
};

}  // namespace torchette::kernels

// Optimizer steps, element by element. They run on a grid of one row.
#pragma once

#include <cmath>
#include <cstdint>

#include "backends/kernels/qualifier.h"

namespace torchette::kernels {

/// The gradient with its weight decay, which is stored only if there is one.
TORCHETTE_KERNEL inline float decayed(float weightDecay, float parameter, float& gradient) {
  if (weightDecay != 0) gradient += weightDecay * parameter;
  return gradient;
}

/// Momentum 0: velocity is null. isFirst: velocity becomes the gradient itself.
struct SgdStep {
  float learningRate, weightDecay, momentum;
  float added;  ///< 1 - dampening
  bool nesterov, isFirst;
  float* parameters;
  float* gradient;
  float* velocity;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t i) const {
    const float slope = decayed(weightDecay, parameters[i], gradient[i]);
    float direction = slope;
    if (momentum != 0) {
      const float moved = isFirst ? slope : momentum * velocity[i] + added * slope;
      velocity[i] = moved;
      direction = nesterov ? slope + momentum * moved : moved;
    }
    parameters[i] -= learningRate * direction;
  }
};

/// stepSize has decay and bias corrections applied; rest1 is 1 - beta1, rest2 is 1 - beta2.
struct AdamStep {
  float stepSize, beta1, rest1, beta2, rest2, epsilon, weightDecay;
  float* parameters;
  float* gradient;
  float* mean;
  float* meanSquare;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t i) const {
    const float slope = decayed(weightDecay, parameters[i], gradient[i]);
    mean[i] = beta1 * mean[i] + rest1 * slope;
    meanSquare[i] = beta2 * meanSquare[i] + rest2 * slope * slope;
    parameters[i] -= stepSize * mean[i] / (std::sqrt(meanSquare[i]) + epsilon);
  }
};

}  // namespace torchette::kernels

// Optimizer steps on flat vectors. The passes of a step run over one short block after the other,
// so that memory is read and written once.
#include <algorithm>
#include <cmath>

#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/lanes.h"

namespace torchette {

namespace {

/// Calls body(begin, end) for blocks that fit the first-level cache and cover [0, elements), in
/// parallel.
template <class Body>
void forEachBlock(int lanes, std::int64_t elements, const Body& body) {
  constexpr std::int64_t blockElements = 2048;
  cpu::parallelFor(lanes, elements, cpu::elementGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t start = begin; start < end; start += blockElements) {
      body(start, std::min(start + blockElements, end));
    }
  });
}

/// Adds the weight decay to the gradient, if there is any.
void decay(float weightDecay, const float* parameters, float* gradient, std::int64_t begin,
           std::int64_t end) {
  if (weightDecay == 0) return;
#pragma omp simd
  for (std::int64_t i = begin; i < end; ++i) gradient[i] += weightDecay * parameters[i];
}

void moveVelocity(const SgdStep& step, const float* gradient, float* velocity, std::int64_t begin,
                  std::int64_t end) {
  if (step.isFirst) {
    std::copy(gradient + begin, gradient + end, velocity + begin);
    return;
  }
  const auto kept = static_cast<float>(step.momentum);
  const auto added = static_cast<float>(1 - step.dampening);
#pragma omp simd
  for (std::int64_t i = begin; i < end; ++i) velocity[i] = kept * velocity[i] + added * gradient[i];
}

/// parameters -= learningRate * (gradient + momentum * velocity)
void moveAlongBoth(const SgdStep& step, float* parameters, const float* gradient,
                   const float* velocity, std::int64_t begin, std::int64_t end) {
  const auto rate = static_cast<float>(step.learningRate);
  const auto momentum = static_cast<float>(step.momentum);
#pragma omp simd
  for (std::int64_t i = begin; i < end; ++i) {
    parameters[i] -= rate * (gradient[i] + momentum * velocity[i]);
  }
}

/// parameters -= learningRate * direction
void moveAlong(const SgdStep& step, float* parameters, const float* direction, std::int64_t begin,
               std::int64_t end) {
  const auto rate = static_cast<float>(step.learningRate);
#pragma omp simd
  for (std::int64_t i = begin; i < end; ++i) parameters[i] -= rate * direction[i];
}

}  // namespace

void CpuBackend::sgdStep(const SgdStep& step, float* parameters, float* gradient, float* velocity) {
  const bool hasMomentum = step.momentum != 0;
  forEachBlock(lanes_, step.elements, [&](std::int64_t begin, std::int64_t end) {
    decay(step.weightDecay, parameters, gradient, begin, end);
    if (hasMomentum) moveVelocity(step, gradient, velocity, begin, end);
    if (hasMomentum && step.nesterov) {
      moveAlongBoth(step, parameters, gradient, velocity, begin, end);
    } else {
      moveAlong(step, parameters, hasMomentum ? velocity : gradient, begin, end);
    }
  });
}

void CpuBackend::adamStep(const AdamStep& step, float* parameters, float* gradient, float* mean,
                          float* meanSquare) {
  const auto beta1 = static_cast<float>(step.beta1), rest1 = static_cast<float>(1 - step.beta1);
  const auto beta2 = static_cast<float>(step.beta2), rest2 = static_cast<float>(1 - step.beta2);
  const auto stepSize = static_cast<float>(step.stepSize);
  const auto epsilon = static_cast<float>(step.epsilon);
  forEachBlock(lanes_, step.elements, [&](std::int64_t begin, std::int64_t end) {
    decay(step.weightDecay, parameters, gradient, begin, end);
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) {
      mean[i] = beta1 * mean[i] + rest1 * gradient[i];
      meanSquare[i] = beta2 * meanSquare[i] + rest2 * gradient[i] * gradient[i];
      parameters[i] -= stepSize * mean[i] / (std::sqrt(meanSquare[i]) + epsilon);
    }
  });
}

}  // namespace torchette

// Non-linearities and their derivatives.
#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/exponential.h"
#include "backends/cpu/lanes.h"

namespace torchette {

namespace {

using cpu::elementGrain;
using cpu::parallelFor;

template <class Function>
void map(int lanes, std::int64_t elements, const float* x, float* y, Function function) {
  parallelFor(lanes, elements, elementGrain, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) y[i] = function(x[i]);
  });
}

template <class Function>
void mapPairs(int lanes, std::int64_t elements, const float* a, const float* b, float* y,
              Function function) {
  parallelFor(lanes, elements, elementGrain, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) y[i] = function(a[i], b[i]);
  });
}

}  // namespace

void CpuBackend::activate(const Activation& activation, std::int64_t elements, const float* x,
                          float* y) {
  const float slope = activation.negativeSlope;
  switch (activation.kind) {
    case Activation::Kind::threshold:
      return map(lanes_, elements, x, y,
                 [threshold = activation.threshold, replacement = activation.value](float value) {
                   return value > threshold ? value : replacement;
                 });
    case Activation::Kind::leakyRelu:
      return map(lanes_, elements, x, y,
                 [slope](float value) { return value * (value > 0 ? 1 : slope); });
    case Activation::Kind::tanh:
      return map(lanes_, elements, x, y, [](float value) { return cpu::hyperbolicTangent(value); });
    case Activation::Kind::sigmoid:
      return map(lanes_, elements, x, y, [](float value) { return cpu::sigmoid(value); });
  }
}

void CpuBackend::activateBackward(const Activation& activation, std::int64_t elements,
                                  const float* reference, const float* gradOutput,
                                  float* gradInput) {
  const float slope = activation.negativeSlope;
  const auto apply = [&](auto gradient) {
    mapPairs(lanes_, elements, reference, gradOutput, gradInput, gradient);
  };
  switch (activation.kind) {
    case Activation::Kind::threshold:
      return apply([threshold = activation.threshold](float at, float gradient) {
        return at > threshold ? gradient : 0;
      });
    case Activation::Kind::leakyRelu:
      return apply([slope](float at, float gradient) { return gradient * (at > 0 ? 1 : slope); });
    case Activation::Kind::tanh:
      return apply([](float output, float gradient) { return gradient * (1 - output * output); });
    case Activation::Kind::sigmoid:
      return apply([](float output, float gradient) { return gradient * (1 - output) * output; });
  }
}

}  // namespace torchette

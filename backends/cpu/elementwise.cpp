// Element-by-element operations without a non-linearity.
#include <algorithm>

#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/lanes.h"

namespace torchette {

using cpu::elementGrain;
using cpu::parallelFor;

void CpuBackend::fill(std::int64_t elements, float value, float* y) {
  parallelFor(lanes_, elements, elementGrain,
              [=](std::int64_t begin, std::int64_t end) { std::fill(y + begin, y + end, value); });
}

void CpuBackend::scale(std::int64_t elements, float alpha, const float* x, float* y) {
  parallelFor(lanes_, elements, elementGrain, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) y[i] = alpha * x[i];
  });
}

void CpuBackend::addScaled(std::int64_t elements, float alpha, const float* x, float* y) {
  parallelFor(lanes_, elements, elementGrain, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) y[i] += alpha * x[i];
  });
}

void CpuBackend::multiply(std::int64_t elements, const float* a, const float* b, float* y) {
  parallelFor(lanes_, elements, elementGrain, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) y[i] = a[i] * b[i];
  });
}

}  // namespace torchette

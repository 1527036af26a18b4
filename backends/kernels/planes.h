// Biases: one value per plane.
#pragma once

#include <cstdint>

#include "backends/kernels/geometry.h"
#include "backends/kernels/qualifier.h"

namespace torchette::kernels {

/// y[s][p][i] = bias[p]. Grid: samples x planes x pixels.
struct FillBias {
  PlanesGeometry geometry;
  const float* bias;
  float* y;

  TORCHETTE_KERNEL void operator()(std::int64_t sample, std::int64_t plane,
                                   std::int64_t pixel) const {
    y[(sample * geometry.planes + plane) * geometry.pixels + pixel] = bias[plane];
  }
};

/// Adds a multiple of a plane's sum to its gradient.
struct AddScaledSum {
  double scale;
  float* gradBias;

  TORCHETTE_KERNEL void operator()(std::int64_t plane, double sum) const {
    gradBias[plane] += static_cast<float>(scale * sum);
  }
};

}  // namespace torchette::kernels

// Biases: one value per plane.
#include "backends/cpu/planes.h"

#include "backends/cpu/cpu_backend.h"

namespace torchette {

void CpuBackend::fillBias(const PlanesGeometry& geometry, const float* bias, float* y) {
  cpu::forEachPlanesBlock(lanes_, geometry, [&](const cpu::PlanesBlock& block) {
    cpu::forEachElement(geometry, block, [=](std::int64_t plane) {
      return [y, value = bias[plane]](std::int64_t i) { y[i] = value; };
    });
  });
}

void CpuBackend::accumulateBias(const PlanesGeometry& geometry, float scale,
                                const float* gradOutput, float* gradBias) {
  cpu::forEachPlanesBlock(lanes_, geometry, [&](const cpu::PlanesBlock& block) {
    const auto sums = cpu::sumPlanes(geometry, block, [=](std::int64_t) {
      return [=](std::int64_t i) { return static_cast<double>(gradOutput[i]); };
    });
    for (std::int64_t plane = block.begin; plane < block.end; ++plane) {
      gradBias[plane] += static_cast<float>(scale * sums[plane - block.begin]);
    }
  });
}

}  // namespace torchette

// Batch normalisation. Sums are in double; the formulas are those of Torch7's BatchNormalization.
#include <algorithm>
#include <cmath>

#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/planes.h"

namespace torchette {

namespace {

using cpu::elementGrain;
using cpu::forEachElement;
using cpu::forEachPlanesBlock;
using cpu::parallelFor;
using cpu::PerPlane;
using cpu::PlanesBlock;
using cpu::sumPlanes;

double elementsPerPlane(const PlanesGeometry& geometry) {
  return static_cast<double>(geometry.samples * geometry.pixels);
}

float weightOf(const BatchNorm& norm, std::int64_t plane) {
  return norm.weight == nullptr ? 1.0F : norm.weight[plane];
}

/// gradInput of a constant normalisation.
void scaleGradient(const BatchNormBackward& backward, const PlanesBlock& block) {
  const BatchNorm& norm = backward.forward;
  forEachElement(norm.geometry, block, [&](std::int64_t plane) {
    return [gradInput = backward.gradInput, gradOutput = backward.gradOutput,
            factor = norm.inverseStd[plane] * weightOf(norm, plane)](std::int64_t i) {
      gradInput[i] = gradOutput[i] * factor;
    };
  });
}

/// Per plane: the sum of gradOutput, and of gradOutput * (input - mean).
struct GradientSums {
  PerPlane<double> plain, centred;
};

GradientSums sumGradients(const BatchNormBackward& backward, const PlanesBlock& block) {
  const BatchNorm& norm = backward.forward;
  const float* input = backward.input;
  const float* gradOutput = backward.gradOutput;
  const auto plain = sumPlanes(norm.geometry, block, [=](std::int64_t) {
    return [=](std::int64_t i) { return static_cast<double>(gradOutput[i]); };
  });
  const auto centred = sumPlanes(norm.geometry, block, [=, &norm](std::int64_t plane) {
    return [=, mean = norm.mean[plane]](std::int64_t i) {
      return static_cast<double>(input[i] - mean) * static_cast<double>(gradOutput[i]);
    };
  });
  return {plain, centred};
}

/// gradInput where mean and deviation are functions of the input: what gradOutput has in common
/// with a shift and with a scaling of the plane has no effect and is taken out.
void projectGradient(const BatchNormBackward& backward, const PlanesBlock& block,
                     const GradientSums& sums) {
  const BatchNorm& norm = backward.forward;
  const double elements = elementsPerPlane(norm.geometry);
  PerPlane<float> shift;
  PerPlane<float> slope;
  for (std::int64_t plane = block.begin; plane < block.end; ++plane) {
    const std::int64_t i = plane - block.begin;
    const double inverseStd = norm.inverseStd[plane];
    shift[i] = static_cast<float>(sums.plain[i] / elements);
    slope[i] = static_cast<float>(sums.centred[i] * inverseStd * inverseStd / elements);
  }
  forEachElement(norm.geometry, block, [&](std::int64_t plane) {
    return [gradInput = backward.gradInput, input = backward.input,
            gradOutput = backward.gradOutput, mean = norm.mean[plane],
            shiftHere = shift[plane - block.begin], slopeHere = slope[plane - block.begin],
            factor = norm.inverseStd[plane] * weightOf(norm, plane)](std::int64_t i) {
      gradInput[i] = (gradOutput[i] - shiftHere - (input[i] - mean) * slopeHere) * factor;
    };
  });
}

void accumulateParameters(const BatchNormBackward& backward, const PlanesBlock& block,
                          const GradientSums& sums) {
  for (std::int64_t plane = block.begin; plane < block.end; ++plane) {
    const std::int64_t i = plane - block.begin;
    const double inverseStd = backward.forward.inverseStd[plane];
    if (backward.gradWeight != nullptr) {
      backward.gradWeight[plane] +=
          static_cast<float>(backward.scale * sums.centred[i] * inverseStd);
    }
    if (backward.gradBias != nullptr) {
      backward.gradBias[plane] += static_cast<float>(backward.scale * sums.plain[i]);
    }
  }
}

}  // namespace

void CpuBackend::batchNormStatistics(const PlanesGeometry& geometry, float epsilon,
                                     const float* input, float* mean, float* inverseStd) {
  const double elements = elementsPerPlane(geometry);
  forEachPlanesBlock(lanes_, geometry, [&](const PlanesBlock& block) {
    PerPlane<double> means = sumPlanes(geometry, block, [=](std::int64_t) {
      return [=](std::int64_t i) { return static_cast<double>(input[i]); };
    });
    for (std::int64_t i = 0; i < block.planes(); ++i) means[i] /= elements;
    const auto squares = sumPlanes(geometry, block, [&](std::int64_t plane) {
      return [input, centre = means[plane - block.begin]](std::int64_t i) {
        const double distance = static_cast<double>(input[i]) - centre;
        return distance * distance;
      };
    });
    for (std::int64_t plane = block.begin; plane < block.end; ++plane) {
      const double variance = squares[plane - block.begin] / elements;
      mean[plane] = static_cast<float>(means[plane - block.begin]);
      inverseStd[plane] = static_cast<float>(1 / std::sqrt(variance + epsilon));
    }
  });
}

void CpuBackend::inverseStandardDeviation(std::int64_t elements, float epsilon,
                                          const float* variance, float* inverseStd) {
  parallelFor(lanes_, elements, elementGrain, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) {
      inverseStd[i] = 1 / std::sqrt(variance[i] + epsilon);
    }
  });
}

void CpuBackend::updateRunningStatistics(const RunningStatistics& statistics) {
  const double elements = elementsPerPlane(statistics.geometry);
  // A single element has no unbiased variance; its biased one, 0, keeps the running value finite.
  const double unbias = elements > 1 ? elements / (elements - 1) : 1;
  const double momentum = statistics.momentum;
  for (std::int64_t plane = 0; plane < statistics.geometry.planes; ++plane) {
    const double inverseStd = statistics.inverseStd[plane];
    const double variance = std::max(0.0, 1 / (inverseStd * inverseStd) - statistics.epsilon);
    float& runningMean = statistics.runningMean[plane];
    float& runningVariance = statistics.runningVariance[plane];
    runningMean =
        static_cast<float>((1 - momentum) * runningMean + momentum * statistics.mean[plane]);
    runningVariance =
        static_cast<float>((1 - momentum) * runningVariance + momentum * variance * unbias);
  }
}

void CpuBackend::batchNorm(const BatchNorm& norm, const float* input, float* output) {
  forEachPlanesBlock(lanes_, norm.geometry, [&](const PlanesBlock& block) {
    forEachElement(norm.geometry, block, [&](std::int64_t plane) {
      return [input, output, mean = norm.mean[plane],
              factor = norm.inverseStd[plane] * weightOf(norm, plane),
              bias = norm.bias == nullptr ? 0.0F : norm.bias[plane]](std::int64_t i) {
        output[i] = (input[i] - mean) * factor + bias;
      };
    });
  });
}

void CpuBackend::batchNormBackward(const BatchNormBackward& backward) {
  forEachPlanesBlock(lanes_, backward.forward.geometry, [&](const PlanesBlock& block) {
    const GradientSums sums = sumGradients(backward, block);
    accumulateParameters(backward, block, sums);
    if (backward.gradInput == nullptr) return;
    if (backward.batchStatistics) return projectGradient(backward, block, sums);
    scaleGradient(backward, block);
  });
}

}  // namespace torchette

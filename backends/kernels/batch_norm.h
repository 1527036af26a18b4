// Batch normalisation: the terms and ends of its sums (reductions.h), and what happens to each
// element. Formulas: Torch7's BatchNormalization.
#pragma once

#include <cmath>
#include <cstdint>

#include "backends/kernels/geometry.h"
#include "backends/kernels/qualifier.h"
#include "backends/kernels/reductions.h"

namespace torchette::kernels {

/// What normalises each plane; weight and bias may be null.
struct PlaneNorm {
  PlanesGeometry geometry;
  const float* mean;
  const float* inverseStd;
  const float* weight;
  const float* bias;

  TORCHETTE_KERNEL float factor(std::int64_t plane) const {
    return inverseStd[plane] * (weight == nullptr ? 1 : weight[plane]);
  }
};

/// Turns a plane's sum into its mean, in double for the variance and in float as the result.
struct StoreMean {
  PlanesGeometry geometry;
  StoreSum<double> exactMeans;
  float* mean;

  TORCHETTE_KERNEL void operator()(std::int64_t plane, double sum) const {
    const double exactMean = sum / static_cast<double>(geometry.elementsPerPlane());
    exactMeans(plane, exactMean);
    mean[plane] = static_cast<float>(exactMean);
  }
};

/// Squared distances from the exact means.
struct SquaredDistance {
  using Sum = double;

  PlaneValue value;
  StoreSum<double> exactMeans;

  TORCHETTE_KERNEL double operator()(std::int64_t plane, std::int64_t nth) const {
    const double distance = value(plane, nth) - exactMeans.totals[plane - exactMeans.firstPlane];
    return distance * distance;
  }
};

/// Turns a plane's sum of squared distances into 1 / sqrt(biased variance + epsilon).
struct StoreInverseStd {
  PlanesGeometry geometry;
  double epsilon;
  float* inverseStd;

  TORCHETTE_KERNEL void operator()(std::int64_t plane, double squares) const {
    const double variance = squares / static_cast<double>(geometry.elementsPerPlane());
    inverseStd[plane] = static_cast<float>(1 / std::sqrt(variance + epsilon));
  }
};

/// inverseStd = 1 / sqrt(variance + epsilon). Grid: one row.
struct InverseStandardDeviation {
  float epsilon;
  const float* variance;
  float* inverseStd;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t i) const {
    inverseStd[i] = 1 / std::sqrt(variance[i] + epsilon);
  }
};

/// Moves running statistics towards those of the batch. Grid: one row, the planes.
struct UpdateRunningStatistics {
  PlanesGeometry geometry;
  double momentum, epsilon;
  const float* mean;
  const float* inverseStd;
  float* runningMean;
  float* runningVariance;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t plane) const {
    const auto elements = static_cast<double>(geometry.elementsPerPlane());
    // A single element has no unbiased variance; its biased one, 0, keeps the running value finite.
    const double unbias = elements > 1 ? elements / (elements - 1) : 1;
    const double inverse = inverseStd[plane];
    const double excess = 1 / (inverse * inverse) - epsilon;
    const double variance = excess > 0 ? excess : 0;
    runningMean[plane] =
        static_cast<float>((1 - momentum) * runningMean[plane] + momentum * mean[plane]);
    runningVariance[plane] =
        static_cast<float>((1 - momentum) * runningVariance[plane] + momentum * variance * unbias);
  }
};

/// Grid: samples x planes x pixels.
struct Normalise {
  PlaneNorm norm;
  const float* input;
  float* output;

  TORCHETTE_KERNEL void operator()(std::int64_t sample, std::int64_t plane,
                                   std::int64_t pixel) const {
    const PlanesGeometry& geometry = norm.geometry;
    const std::int64_t i = (sample * geometry.planes + plane) * geometry.pixels + pixel;
    const float shift = norm.bias == nullptr ? 0 : norm.bias[plane];
    output[i] = (input[i] - norm.mean[plane]) * norm.factor(plane) + shift;
  }
};

/// gradOutput, and gradOutput * (input - mean).
struct GradientTerms {
  using Sum = SumPair;

  PlaneNorm norm;
  const float* input;
  const float* gradOutput;

  TORCHETTE_KERNEL SumPair operator()(std::int64_t plane, std::int64_t nth) const {
    const std::int64_t i = norm.geometry.index(plane, nth);
    const double gradient = gradOutput[i];
    return {gradient, static_cast<double>(input[i] - norm.mean[plane]) * gradient};
  }
};

/// Keeps the sums of GradientTerms and adds them to the gradients of the parameters, which may be
/// null.
struct AccumulateNormParameters {
  StoreSum<SumPair> sums;
  double scale;
  const float* inverseStd;
  float* gradWeight;
  float* gradBias;

  TORCHETTE_KERNEL void operator()(std::int64_t plane, const SumPair& sum) const {
    sums(plane, sum);
    if (gradWeight != nullptr) {
      const double deviation = inverseStd[plane];
      gradWeight[plane] += static_cast<float>(scale * sum.second * deviation);
    }
    if (gradBias != nullptr) gradBias[plane] += static_cast<float>(scale * sum.first);
  }
};

/// gradInput where mean and deviation are constants. Grid: samples x planes x pixels.
struct ScaleGradient {
  PlaneNorm norm;
  const float* gradOutput;
  float* gradInput;

  TORCHETTE_KERNEL void operator()(std::int64_t sample, std::int64_t plane,
                                   std::int64_t pixel) const {
    const PlanesGeometry& geometry = norm.geometry;
    const std::int64_t i = (sample * geometry.planes + plane) * geometry.pixels + pixel;
    gradInput[i] = gradOutput[i] * norm.factor(plane);
  }
};

/// gradInput where mean and deviation are functions of the input: what gradOutput has in common
/// with a shift and with a scaling of the plane has no effect and is taken out. Grid: samples x
/// planes of the range that has been summed x pixels.
struct ProjectGradient {
  GradientTerms terms;
  StoreSum<SumPair> sums;
  float* gradInput;

  TORCHETTE_KERNEL void operator()(std::int64_t sample, std::int64_t planeOfRange,
                                   std::int64_t pixel) const {
    const PlaneNorm& norm = terms.norm;
    const PlanesGeometry& geometry = norm.geometry;
    const std::int64_t plane = sums.firstPlane + planeOfRange;
    const std::int64_t i = (sample * geometry.planes + plane) * geometry.pixels + pixel;
    const SumPair& sum = sums.totals[planeOfRange];
    const auto elements = static_cast<double>(geometry.elementsPerPlane());
    const double deviation = norm.inverseStd[plane];
    const auto shift = static_cast<float>(sum.first / elements);
    const auto slope = static_cast<float>(sum.second * deviation * deviation / elements);
    const float centred = terms.input[i] - norm.mean[plane];
    gradInput[i] = (terms.gradOutput[i] - shift - centred * slope) * norm.factor(plane);
  }
};

}  // namespace torchette::kernels

// Losses: the terms of their sums (reductions.h), and their gradients.
#pragma once

#include <cmath>
#include <cstdint>

#include "backends/kernels/qualifier.h"
#include "backends/kernels/reductions.h"

namespace torchette::kernels {

/// The weights of rows of elements; null for all 1.
struct RowWeights {
  const float* weights;
  std::int64_t rowElements;

  TORCHETTE_KERNEL double of(std::int64_t element) const {
    return weights == nullptr ? 1 : weights[element % rowElements];
  }
};

/// Samples with one target class each; weights (one per class) may be null.
struct Targets {
  std::int64_t classes;
  const std::int64_t* targets;
  const float* weights;

  TORCHETTE_KERNEL float weightOf(std::int64_t sample) const {
    return weights == nullptr ? 1 : weights[targets[sample]];
  }
};

/// Of one sample: -weight * log-probability of the target, and the weight.
struct NegativeLogLikelihood {
  using Sum = SumPair;

  Targets targets;
  const float* logProbabilities;

  TORCHETTE_KERNEL SumPair operator()(std::int64_t, std::int64_t sample) const {
    const double weight = targets.weightOf(sample);
    const std::int64_t at = sample * targets.classes + targets.targets[sample];
    return {-weight * static_cast<double>(logProbabilities[at]), weight};
  }
};

/// Grid: 1 x samples x classes.
struct NegativeLogLikelihoodBackward {
  Targets targets;
  float scale;
  float* gradInput;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t sample, std::int64_t label) const {
    const bool isTarget = targets.targets[sample] == label;
    gradInput[sample * targets.classes + label] = isTarget ? -targets.weightOf(sample) * scale : 0;
  }
};

struct SquaredDifference {
  using Sum = double;

  const float* input;
  const float* target;

  TORCHETTE_KERNEL double operator()(std::int64_t, std::int64_t i) const {
    const double difference = static_cast<double>(input[i]) - static_cast<double>(target[i]);
    return difference * difference;
  }
};

/// Grid: one row.
struct SquaredDifferenceBackward {
  float scale;
  const float* input;
  const float* target;
  float* gradInput;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t i) const {
    gradInput[i] = 2 * scale * (input[i] - target[i]);
  }
};

/// Keeps logarithms and quotients of binary cross-entropy finite. Source: Torch7 BCECriterion.
constexpr double crossEntropyEpsilon = 1e-12;

struct BinaryCrossEntropy {
  using Sum = double;

  const float* input;
  const float* target;
  RowWeights weights;

  TORCHETTE_KERNEL double operator()(std::int64_t, std::int64_t i) const {
    const double x = input[i], t = target[i];
    const double entropy =
        -(std::log(x + crossEntropyEpsilon) * t + std::log(1 - x + crossEntropyEpsilon) * (1 - t));
    return entropy * weights.of(i);
  }
};

/// Grid: one row.
struct BinaryCrossEntropyBackward {
  double scale;
  const float* input;
  const float* target;
  RowWeights weights;
  float* gradInput;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t i) const {
    const double x = input[i], t = target[i];
    const double derivative =
        -(t - x) / ((1 - x + crossEntropyEpsilon) * (x + crossEntropyEpsilon));
    gradInput[i] = static_cast<float>(derivative * weights.of(i) * scale);
  }
};

}  // namespace torchette::kernels

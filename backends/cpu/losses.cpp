// Loss functions. Sums are in double and do not depend on the number of lanes.
#include <algorithm>
#include <cmath>

#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/lanes.h"

namespace torchette {

namespace {

using cpu::elementGrain;
using cpu::parallelFor;
using cpu::sumOverBlocks;

/// Keeps logarithms and quotients of binary cross-entropy finite. Source: Torch7 BCECriterion.
constexpr double crossEntropyEpsilon = 1e-12;

float weightOfTarget(const ClassNll& loss, std::int64_t sample) {
  return loss.weights == nullptr ? 1.0F : loss.weights[loss.targets[sample]];
}

double squaredDifference(float input, float target) {
  const double difference = static_cast<double>(input) - static_cast<double>(target);
  return difference * difference;
}

double crossEntropy(double input, double target) {
  return -(std::log(input + crossEntropyEpsilon) * target +
           std::log(1 - input + crossEntropyEpsilon) * (1 - target));
}

double crossEntropyDerivative(double input, double target) {
  return -(target - input) / ((1 - input + crossEntropyEpsilon) * (input + crossEntropyEpsilon));
}

/// The weights of consecutive elements, which repeat for every row; 1 if there are none.
class RepeatedWeights {
 public:
  RepeatedWeights(const PairLoss& loss, std::int64_t firstElement)
      : weights_(loss.weights),
        rowElements_(loss.rowElements),
        column_(weights_ == nullptr ? 0 : firstElement % rowElements_) {}

  double next() {
    if (weights_ == nullptr) return 1;
    const float weight = weights_[column_];
    column_ = column_ + 1 == rowElements_ ? 0 : column_ + 1;
    return weight;
  }

 private:
  const float* weights_;
  std::int64_t rowElements_;
  std::int64_t column_;
};

double sumSquaredDifferences(const float* input, const float* target, std::int64_t begin,
                             std::int64_t end) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = begin; i < end; ++i) sum += squaredDifference(input[i], target[i]);
  return sum;
}

double sumCrossEntropies(const PairLoss& loss, const float* input, const float* target,
                         std::int64_t begin, std::int64_t end) {
  RepeatedWeights weights(loss, begin);
  double sum = 0;
  for (std::int64_t i = begin; i < end; ++i) {
    sum += crossEntropy(input[i], target[i]) * weights.next();
  }
  return sum;
}

}  // namespace

WeightedSum CpuBackend::classNll(const ClassNll& loss, const float* logProbabilities) {
  WeightedSum total;
  for (std::int64_t sample = 0; sample < loss.samples; ++sample) {
    const double weight = weightOfTarget(loss, sample);
    const double logProbability = logProbabilities[sample * loss.classes + loss.targets[sample]];
    total.sum -= weight * logProbability;
    total.weight += weight;
  }
  return total;
}

void CpuBackend::classNllBackward(const ClassNll& loss, float scale, float* gradInput) {
  fill(loss.samples * loss.classes, 0, gradInput);
  for (std::int64_t sample = 0; sample < loss.samples; ++sample) {
    gradInput[sample * loss.classes + loss.targets[sample]] = -weightOfTarget(loss, sample) * scale;
  }
}

double CpuBackend::pairLoss(const PairLoss& loss, const float* input, const float* target) {
  const bool isMeanSquared = loss.kind == PairLoss::Kind::meanSquared;
  return sumOverBlocks(lanes_, loss.elements, [&](std::int64_t begin, std::int64_t end) {
    return isMeanSquared ? sumSquaredDifferences(input, target, begin, end)
                         : sumCrossEntropies(loss, input, target, begin, end);
  });
}

void CpuBackend::pairLossBackward(const PairLoss& loss, float scale, const float* input,
                                  const float* target, float* gradInput) {
  const bool isMeanSquared = loss.kind == PairLoss::Kind::meanSquared;
  parallelFor(lanes_, loss.elements, elementGrain, [&](std::int64_t begin, std::int64_t end) {
    if (isMeanSquared) {
#pragma omp simd
      for (std::int64_t i = begin; i < end; ++i) {
        gradInput[i] = 2 * scale * (input[i] - target[i]);
      }
      return;
    }
    RepeatedWeights weights(loss, begin);
    for (std::int64_t i = begin; i < end; ++i) {
      const double derivative = crossEntropyDerivative(input[i], target[i]) * weights.next();
      gradInput[i] = static_cast<float>(derivative * scale);
    }
  });
}

}  // namespace torchette

// TrainingOptions: the settings that determine the course of a training run.
#pragma once

#include <cstdint>
#include <string>

#include "layers/models/built_in.h"

namespace torchette::training {

struct TrainingOptions {
  std::int64_t epochs = 3;
  std::int64_t batch = 64;        ///< images per step
  std::string optimizer = "sgd";  ///< or "adam"
  double learningRate = 0;
  double learningRateDecay = 0;  ///< step t (from 0) uses learningRate / (1 + t learningRateDecay)
  double momentum = 0;           ///< sgd only
  double weightDecay = 0;
  /// Of the random stream that draws initial weights, the order of images, and dropout.
  std::uint32_t seed = 1;

  bool operator==(const TrainingOptions&) const = default;
};

/// What works well for an objective with its usual optimizer, or with the one named.
TrainingOptions defaultOptions(nn::Objective objective);
TrainingOptions defaultOptions(nn::Objective objective, const std::string& optimizer);

/// Throws ArgumentError that names the first setting out of range.
void requireValid(const TrainingOptions& options);

}  // namespace torchette::training

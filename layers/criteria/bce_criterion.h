// BCECriterion: binary cross-entropy of probabilities.
#pragma once

#include "layers/criteria/pairwise_criterion.h"

namespace torchette::nn {

/// -(t log(x + 1e-12) + (1 - t) log(1 - x + 1e-12)) for inputs x and targets t in [0, 1].
class BCECriterion final : public PairwiseCriterion {
 public:
  explicit BCECriterion(Context context, const std::vector<float>& weights = {},
                        bool sizeAverage = true)
      : PairwiseCriterion(std::move(context), PairLoss::Kind::binaryCrossEntropy, weights,
                          sizeAverage) {}

  std::string type() const override { return "nn.BCECriterion"; }
};

}  // namespace torchette::nn

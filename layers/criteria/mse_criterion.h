// MSECriterion: mean of the squared differences.
#pragma once

#include "layers/criteria/pairwise_criterion.h"

namespace torchette::nn {

class MSECriterion final : public PairwiseCriterion {
 public:
  explicit MSECriterion(Context context, bool sizeAverage = true)
      : PairwiseCriterion(std::move(context), PairLoss::Kind::meanSquared, {}, sizeAverage) {}

  std::string type() const override { return "nn.MSECriterion"; }
};

}  // namespace torchette::nn

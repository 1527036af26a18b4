// PairwiseCriterion: base of the losses that compare input and target element by element.
#pragma once

#include <vector>

#include "layers/criteria/criterion.h"

namespace torchette::nn {

/// Input and target have one shape; with sizeAverage the sum is divided by the number of elements.
class PairwiseCriterion : public Criterion {
 public:
  void joinMove(BackendMove& move) override;

 protected:
  /// `weights`: one per element of a row (the last dimension), or none.
  PairwiseCriterion(Context context, PairLoss::Kind kind, const std::vector<float>& weights,
                    bool sizeAverage);

  void requireTarget(const Tensor& input, const Tensor& target) const override;
  double computeOutput(const Tensor& input, const Tensor& target) override;
  void computeGradInput(const Tensor& input, const Tensor& target) override;

 private:
  PairLoss lossFor(const Tensor& input) const;
  double scaleFor(const Tensor& input) const;

  PairLoss::Kind kind_;
  Tensor weights_;
  bool sizeAverage_;
};

}  // namespace torchette::nn

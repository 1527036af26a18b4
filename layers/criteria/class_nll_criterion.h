// ClassNLLCriterion: negative log-likelihood of the target classes.
#pragma once

#include <vector>

#include "layers/criteria/criterion.h"

namespace torchette::nn {

/// Input: log-probabilities, classes or batch x classes. Target: int64, 1 or batch class numbers
/// that count from 0 (Torch7's count from 1). With sizeAverage the sum over the batch is divided by
/// the sum of the targets' weights.
class ClassNLLCriterion final : public Criterion {
 public:
  /// `weights`: one per class, or none.
  explicit ClassNLLCriterion(Context context, const std::vector<float>& weights = {},
                             bool sizeAverage = true);

  std::string type() const override { return "nn.ClassNLLCriterion"; }
  void joinMove(BackendMove& move) override;

 protected:
  void requireTarget(const Tensor& input, const Tensor& target) const override;
  double computeOutput(const Tensor& input, const Tensor& target) override;
  void computeGradInput(const Tensor& input, const Tensor& target) override;

 private:
  ClassNll lossFor(const Tensor& input, const Tensor& target) const;

  Tensor weights_;
  bool sizeAverage_;
};

}  // namespace torchette::nn

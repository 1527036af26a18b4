// CrossEntropyCriterion: LogSoftMax and ClassNLLCriterion in one.
#pragma once

#include "layers/criteria/class_nll_criterion.h"
#include "layers/soft_max.h"

namespace torchette::nn {

/// Input: scores, classes or batch x classes. Targets, weights and sizeAverage as in
/// ClassNLLCriterion.
class CrossEntropyCriterion final : public Criterion {
 public:
  explicit CrossEntropyCriterion(Context context, const std::vector<float>& weights = {},
                                 bool sizeAverage = true);

  std::string type() const override { return "nn.CrossEntropyCriterion"; }
  void joinMove(BackendMove& move) override;

 protected:
  void requireTarget(const Tensor& input, const Tensor& target) const override;
  double computeOutput(const Tensor& input, const Tensor& target) override;
  void computeGradInput(const Tensor& input, const Tensor& target) override;

 private:
  std::unique_ptr<LogSoftMax> logSoftMax_;
  std::unique_ptr<ClassNLLCriterion> nll_;
};

}  // namespace torchette::nn

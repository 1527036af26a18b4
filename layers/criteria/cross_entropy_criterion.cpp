#include "layers/criteria/cross_entropy_criterion.h"

namespace torchette::nn {

CrossEntropyCriterion::CrossEntropyCriterion(Context context, const std::vector<float>& weights,
                                             bool sizeAverage)
    : Criterion(std::move(context)),
      logSoftMax_(build<LogSoftMax>("lsm", this->context())),
      nll_(build<ClassNLLCriterion>("nll", this->context(), weights, sizeAverage)) {}

void CrossEntropyCriterion::joinMove(BackendMove& move) {
  Criterion::joinMove(move);
  logSoftMax_->joinMove(move);
  nll_->joinMove(move);
}

/// The parts check it: what they expect is what this criterion expects.
void CrossEntropyCriterion::requireTarget(const Tensor& /*input*/, const Tensor& /*target*/) const {
}

double CrossEntropyCriterion::computeOutput(const Tensor& input, const Tensor& target) {
  return nll_->forward(logSoftMax_->forward(input).tensor(), target);
}

void CrossEntropyCriterion::computeGradInput(const Tensor& input, const Tensor& target) {
  const auto& logProbabilities = logSoftMax_->forward(input).tensor();
  const auto& gradient = nll_->backward(logProbabilities, target);
  gradInput.copyFrom(logSoftMax_->backward(input, gradient).tensor());
}

}  // namespace torchette::nn

#include "layers/criteria/pairwise_criterion.h"

#include "runtime/errors.h"
#include "runtime/owner_scope.h"

namespace torchette::nn {

PairwiseCriterion::PairwiseCriterion(Context context, PairLoss::Kind kind,
                                     const std::vector<float>& weights, bool sizeAverage)
    : Criterion(std::move(context)),
      kind_(kind),
      weights_(backend().allocator(), "weights"),
      sizeAverage_(sizeAverage) {
  if (weights.empty()) return;
  weights_.resize({static_cast<std::int64_t>(weights.size())});
  weights_.copyFromValues(weights);
}

void PairwiseCriterion::joinMove(BackendMove& move) {
  const OwnerScope scope(path());
  Criterion::joinMove(move);
  move.keep(weights_);
}

void PairwiseCriterion::requireTarget(const Tensor& input, const Tensor& target) const {
  if (input.shape() != target.shape()) {
    throw ShapeError(path(), "expected a target of the input's size " + input.shape().toString() +
                                 ", got " + target.shape().toString());
  }
  const auto rowElements = input.rank() == 0 ? 0 : input.size(input.rank() - 1);
  if (!weights_.isEmpty() && rowElements != weights_.elements()) {
    throw ShapeError(path(), "expected rows of " + std::to_string(weights_.elements()) +
                                 " elements, one per weight, got an input of size " +
                                 input.shape().toString());
  }
}

PairLoss PairwiseCriterion::lossFor(const Tensor& input) const {
  if (weights_.isEmpty()) return {.kind = kind_, .elements = input.elements()};
  return {.kind = kind_,
          .elements = input.elements(),
          .weights = weights_.data<float>(),
          .rowElements = weights_.elements()};
}

double PairwiseCriterion::scaleFor(const Tensor& input) const {
  return sizeAverage_ && !input.isEmpty() ? 1.0 / static_cast<double>(input.elements()) : 1.0;
}

double PairwiseCriterion::computeOutput(const Tensor& input, const Tensor& target) {
  return scaleFor(input) *
         backend().pairLoss(lossFor(input), input.data<float>(), target.data<float>());
}

void PairwiseCriterion::computeGradInput(const Tensor& input, const Tensor& target) {
  backend().pairLossBackward(lossFor(input), static_cast<float>(scaleFor(input)),
                             input.data<float>(), target.data<float>(), gradInput.data<float>());
}

}  // namespace torchette::nn

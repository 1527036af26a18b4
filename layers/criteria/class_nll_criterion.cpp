#include "layers/criteria/class_nll_criterion.h"

#include "runtime/errors.h"
#include "runtime/owner_scope.h"

namespace torchette::nn {

ClassNLLCriterion::ClassNLLCriterion(Context context, const std::vector<float>& weights,
                                     bool sizeAverage)
    : Criterion(std::move(context)),
      weights_(backend().allocator(), "weights"),
      sizeAverage_(sizeAverage) {
  if (weights.empty()) return;
  weights_.resize({static_cast<std::int64_t>(weights.size())});
  weights_.copyFromValues(weights);
}

void ClassNLLCriterion::joinMove(BackendMove& move) {
  const OwnerScope scope(path());
  Criterion::joinMove(move);
  move.keep(weights_);
}

void ClassNLLCriterion::requireTarget(const Tensor& input, const Tensor& target) const {
  if (input.rank() != 1 && input.rank() != 2) {
    throw ShapeError(path(), "expected an input of size classes or batch x classes, got " +
                                 input.shape().toString());
  }
  const auto classes = input.size(input.rank() - 1);
  const auto samples = input.rank() == 2 ? input.size(0) : 1;
  if (weights_.elements() > 0 && weights_.elements() != classes) {
    throw ShapeError(path(), "expected " + std::to_string(weights_.elements()) +
                                 " classes, one per weight, got an input of size " +
                                 input.shape().toString());
  }
  if (target.shape() != Shape{samples}) {
    throw ShapeError(path(), "expected a target of size " + std::to_string(samples) +
                                 " for an input of size " + input.shape().toString() + ", got " +
                                 target.shape().toString());
  }
  for (const auto label : target.values<std::int64_t>()) {
    if (label < 0 || label >= classes) {
      throw ArgumentError(path(), "the target " + std::to_string(label) +
                                      " is not a class; they count from 0 to " +
                                      std::to_string(classes - 1));
    }
  }
}

ClassNll ClassNLLCriterion::lossFor(const Tensor& input, const Tensor& target) const {
  return {.samples = target.elements(),
          .classes = input.size(input.rank() - 1),
          .targets = target.data<std::int64_t>(),
          .weights = weights_.isEmpty() ? nullptr : weights_.data<float>()};
}

double ClassNLLCriterion::computeOutput(const Tensor& input, const Tensor& target) {
  const auto total = backend().classNll(lossFor(input, target), input.data<float>());
  return sizeAverage_ && total.weight != 0 ? total.sum / total.weight : total.sum;
}

void ClassNLLCriterion::computeGradInput(const Tensor& input, const Tensor& target) {
  const auto loss = lossFor(input, target);
  const auto total = backend().classNll(loss, input.data<float>());
  const double scale = sizeAverage_ && total.weight != 0 ? 1 / total.weight : 1;
  backend().classNllBackward(loss, static_cast<float>(scale), gradInput.data<float>());
}

}  // namespace torchette::nn

#include "layers/criteria/criterion.h"

#include "runtime/owner_scope.h"

namespace torchette::nn {

Criterion::Criterion(Context context)
    : gradInput(context.backend->allocator(), "gradInput"),
      context_(std::move(context)),
      path_(OwnerScope::current()) {}

void Criterion::to(const std::shared_ptr<Backend>& backend) {
  BackendMove move(backend);
  joinMove(move);
  move.commit();
}

void Criterion::joinMove(BackendMove& move) {
  move.useBackend(context_);
  move.clear(gradInput);
}

double Criterion::forward(const Tensor& input, const Tensor& target) {
  const OwnerScope scope(path_);
  const auto x = input.contiguous(), t = target.contiguous();
  requireTarget(x, t);
  output = computeOutput(x, t);
  return output;
}

const Tensor& Criterion::backward(const Tensor& input, const Tensor& target) {
  const OwnerScope scope(path_);
  const auto x = input.contiguous(), t = target.contiguous();
  requireTarget(x, t);
  gradInput.resize(x.shape());
  computeGradInput(x, t);
  return gradInput;
}

}  // namespace torchette::nn

#include "layers/optim/optimizer.h"

#include "layers/backend_move.h"
#include "runtime/errors.h"
#include "runtime/owner_scope.h"

namespace torchette::optim {

Optimizer::Optimizer(nn::Context context)
    : context_(std::move(context)), path_(OwnerScope::current()) {}

void Optimizer::step(const Tensor& parameters, const Tensor& gradient) {
  const OwnerScope scope(path_);
  const bool areVectors = parameters.rank() == 1 && parameters.shape() == gradient.shape() &&
                          parameters.isContiguous() && gradient.isContiguous();
  if (!areVectors) {
    throw ShapeError(path_, "expected two contiguous vectors of one length, got " +
                                parameters.shape().toString() + " and " +
                                gradient.shape().toString() + "; use those of getParameters()");
  }
  requireLengthOfState(parameters);
  update(parameters, gradient);
  ++evalCounter_;
}

void Optimizer::to(const std::shared_ptr<Backend>& backend) {
  nn::BackendMove move(backend);
  joinMove(move);
  move.commit();
}

void Optimizer::joinMove(nn::BackendMove& move) {
  const OwnerScope scope(path_);
  move.useBackend(context_);
  visitTensors([&move](std::string_view, nn::Role, Tensor& state) { move.keep(state); });
}

void Optimizer::requireLengthOfState(const Tensor& parameters) {
  visitTensors([&](std::string_view, nn::Role, const Tensor& state) {
    if (!state.isEmpty() && state.shape() != parameters.shape()) {
      throw ShapeError(path_, "expected vectors of " + state.shape().toString() +
                                  " elements, as in the steps before, got " +
                                  parameters.shape().toString());
    }
  });
}

Tensor Optimizer::makeTensor(std::string field) const {
  return Tensor(backend().allocator(), std::move(field));
}

}  // namespace torchette::optim

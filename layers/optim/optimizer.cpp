#include "layers/optim/optimizer.h"

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
  update(parameters, gradient);
  ++evalCounter_;
}

Tensor Optimizer::makeTensor(std::string field) const {
  return Tensor(backend().allocator(), std::move(field));
}

}  // namespace torchette::optim

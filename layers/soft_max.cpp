#include "layers/soft_max.h"

#include "runtime/errors.h"

namespace torchette::nn {

namespace {

SoftMaxGeometry geometryOf(const Shape& shape) {
  switch (shape.rank()) {
    case 1:
      return {1, shape[0], 1};
    case 2:
      return {shape[0], shape[1], 1};
    case 3:
      return {1, shape[0], shape[1] * shape[2]};
    case 4:
      return {shape[0], shape[1], shape[2] * shape[3]};
    default:
      throw ShapeError(OwnerScope::current(),
                       "expected an input of 1 to 4 dimensions, got size " + shape.toString());
  }
}

}  // namespace

void SoftMaxBase::updateOutput(const Activity& input) {
  const auto& x = input.tensor();
  const auto geometry = geometryOf(x.shape());
  output.tensor().resize(x.shape());
  compute(geometry, x.data<float>(), output.tensor().data<float>());
}

void SoftMaxBase::updateGradInput(const Activity& input, const Activity& gradOutput) {
  const auto geometry = geometryOf(input.tensor().shape());
  gradInput.tensor().resize(input.tensor().shape());
  computeGradient(geometry, output.tensor().data<float>(), gradOutput.tensor().data<float>(),
                  gradInput.tensor().data<float>());
}

void SoftMax::compute(const SoftMaxGeometry& geometry, const float* x, float* y) {
  backend().softMax(geometry, x, y);
}

void SoftMax::computeGradient(const SoftMaxGeometry& geometry, const float* y, const float* dy,
                              float* dx) {
  backend().softMaxBackward(geometry, y, dy, dx);
}

void LogSoftMax::compute(const SoftMaxGeometry& geometry, const float* x, float* y) {
  backend().logSoftMax(geometry, x, y);
}

void LogSoftMax::computeGradient(const SoftMaxGeometry& geometry, const float* y, const float* dy,
                                 float* dx) {
  backend().logSoftMaxBackward(geometry, y, dy, dx);
}

}  // namespace torchette::nn

#include "layers/dropout.h"

#include "layers/number_text.h"
#include "runtime/errors.h"

namespace torchette::nn {

Dropout::Dropout(Context context, double p, bool v1, bool inplace)
    : Module(std::move(context)), noise(makeTensor("noise")), p_(p), v1_(v1), inplace_(inplace) {
  if (!(p >= 0 && p < 1)) {
    throw ArgumentError(path(), "p is " + numberText(p) + "; it must be at least 0 and below 1");
  }
}

std::string Dropout::description() const { return type() + "(" + fixedNumberText(p_) + ")"; }

void Dropout::visitTensors(const TensorVisitor& visit) {
  Module::visitTensors(visit);
  visit("noise", Role::buffer, noise);
}

void Dropout::drawNoise(const Shape& shape) {
  noise.resize(shape);
  const auto kept = static_cast<float>(v1_ ? 1 : 1 / (1 - p_));
  backend().fillBernoulli(shape.elements(), *context().generator, 1 - p_, kept,
                          noise.data<float>());
}

void Dropout::apply(const Tensor& x, Tensor& result) const {
  if (inplace_) {
    result.set(x);
  } else {
    result.resize(x.shape());
  }
  if (isTraining()) {
    backend().multiply(x.elements(), x.data<float>(), noise.data<float>(), result.data<float>());
  } else {
    const auto factor = static_cast<float>(v1_ ? 1 - p_ : 1);
    backend().scale(x.elements(), factor, x.data<float>(), result.data<float>());
  }
}

void Dropout::updateOutput(const Activity& input) {
  if (isTraining()) drawNoise(input.tensor().shape());
  apply(input.tensor(), output.tensor());
}

void Dropout::updateGradInput(const Activity& /*input*/, const Activity& gradOutput) {
  apply(gradOutput.tensor(), gradInput.tensor());
}

}  // namespace torchette::nn

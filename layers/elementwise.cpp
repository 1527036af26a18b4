#include "layers/elementwise.h"

namespace torchette::nn {

Elementwise::Elementwise(Context context, const Activation& activation, bool inplace)
    : Module(std::move(context)), activation_(activation), inplace_(inplace) {}

void Elementwise::updateOutput(const Activity& input) {
  const auto& x = input.tensor();
  auto& y = output.tensor();
  if (inplace_) {
    y.set(x);
  } else {
    y.resize(x.shape());
  }
  backend().activate(activation_, x.elements(), x.data<float>(), y.data<float>());
}

void Elementwise::updateGradInput(const Activity& input, const Activity& gradOutput) {
  const auto& dy = gradOutput.tensor();
  auto& dx = gradInput.tensor();
  if (inplace_) {
    dx.set(dy);
  } else {
    dx.resize(dy.shape());
  }
  const auto& reference = activation_.backwardReadsOutput() ? output.tensor() : input.tensor();
  backend().activateBackward(activation_, dy.elements(), reference.data<float>(), dy.data<float>(),
                             dx.data<float>());
}

}  // namespace torchette::nn

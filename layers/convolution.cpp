#include "layers/convolution.h"

#include <cmath>

#include "layers/window_geometry.h"

namespace torchette::nn {

Convolution::Convolution(Context context, std::int64_t nInputPlane, std::int64_t nOutputPlane,
                         const Window& window)
    : Module(std::move(context)),
      weight(makeTensor("weight")),
      gradWeight(makeTensor("gradWeight")),
      bias(makeTensor("bias")),
      gradBias(makeTensor("gradBias")),
      finput(makeTensor("finput")),
      fgradInput(makeTensor("fgradInput")),
      nInputPlane_(nInputPlane),
      nOutputPlane_(nOutputPlane),
      window_(window) {
  requireAtLeast(1, nInputPlane, "nInputPlane");
  requireAtLeast(1, nOutputPlane, "nOutputPlane");
  requireWindow(window);
}

void Convolution::initialise(std::int64_t firstPlanes, std::int64_t secondPlanes) {
  const Shape weightShape{firstPlanes, secondPlanes, window_.kH, window_.kW};
  for (auto* tensor : {&weight, &gradWeight}) tensor->resize(weightShape);
  for (auto* tensor : {&bias, &gradBias}) tensor->resize({nOutputPlane_});
  gradWeight.zero();
  gradBias.zero();
  const auto weightsPerOutput = window_.kW * window_.kH * nInputPlane_;
  const double bound = 1 / std::sqrt(static_cast<double>(weightsPerOutput));
  fillUniform(weight, -bound, bound);
  fillUniform(bias, -bound, bound);
}

void Convolution::visitTensors(const TensorVisitor& visit) {
  Module::visitTensors(visit);
  visit("finput", Role::workspace, finput);
  visit("fgradInput", Role::workspace, fgradInput);
  visit("weight", Role::parameter, weight);
  if (hasBias_) visit("bias", Role::parameter, bias);
  visit("gradWeight", Role::parameterGradient, gradWeight);
  if (hasBias_) visit("gradBias", Role::parameterGradient, gradBias);
}

void Convolution::noBias() {
  hasBias_ = false;
  bias.clear();
  gradBias.clear();
}

void Convolution::makeOnes(const ImageBatch& results) {
  const Shape shape{results.height, results.width};
  // Torch7 fills them only when they grow; others may have written here since, so guarded ones are
  // filled anew.
  if (!isSharingGuarded() && fgradInput.shape() == shape) return;
  fgradInput.resize(shape);
  backend().fill(fgradInput.elements(), 1, fgradInput.data<float>());
  fgradInput.storage()->announceWrite(path());
}

std::string Convolution::describe(const std::string& suffix) const {
  return type() + "(" + std::to_string(nInputPlane_) + " -> " + std::to_string(nOutputPlane_) +
         ", " + describeWindow(window_) + suffix + ")" + (hasBias_ ? "" : " without bias");
}

}  // namespace torchette::nn

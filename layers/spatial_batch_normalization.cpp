#include "layers/spatial_batch_normalization.h"

#include "layers/window_geometry.h"
#include "runtime/errors.h"

namespace torchette::nn {

SpatialBatchNormalization::SpatialBatchNormalization(Context context, std::int64_t nFeature,
                                                     double eps, double momentum, bool affine)
    : Module(std::move(context)),
      weight(makeTensor("weight")),
      gradWeight(makeTensor("gradWeight")),
      bias(makeTensor("bias")),
      gradBias(makeTensor("gradBias")),
      running_mean(makeTensor("running_mean")),
      running_var(makeTensor("running_var")),
      save_mean(makeTensor("save_mean")),
      save_std(makeTensor("save_std")),
      nFeature_(nFeature),
      eps_(static_cast<float>(eps)),
      momentum_(static_cast<float>(momentum)),
      affine_(affine) {
  requireAtLeast(1, nFeature, "nFeature");
  for (auto* tensor : {&running_mean, &running_var}) tensor->resize({nFeature});
  running_mean.zero();
  backend().fill(nFeature, 1, running_var.data<float>());
  if (!affine) return;
  for (auto* tensor : {&weight, &gradWeight, &bias, &gradBias}) tensor->resize({nFeature});
  for (auto* tensor : {&gradWeight, &bias, &gradBias}) tensor->zero();
  fillUniform(weight, 0, 1);
}

std::string SpatialBatchNormalization::description() const {
  return type() + " (4D) (" + std::to_string(nFeature_) + ")";
}

void SpatialBatchNormalization::visitTensors(const TensorVisitor& visit) {
  Module::visitTensors(visit);
  visit("running_mean", Role::state, running_mean);
  visit("running_var", Role::state, running_var);
  visit("save_mean", Role::buffer, save_mean);
  visit("save_std", Role::buffer, save_std);
  if (!affine_) return;
  visit("weight", Role::parameter, weight);
  visit("bias", Role::parameter, bias);
  visit("gradWeight", Role::parameterGradient, gradWeight);
  visit("gradBias", Role::parameterGradient, gradBias);
}

PlanesGeometry SpatialBatchNormalization::geometryOf(const Tensor& input) const {
  if (input.rank() != 4 || input.size(1) != nFeature_) {
    throw ShapeError(path(), "expected an input of batch x " + std::to_string(nFeature_) +
                                 " x height x width, got size " + input.shape().toString());
  }
  return {input.size(0), nFeature_, input.size(2) * input.size(3)};
}

BatchNorm SpatialBatchNormalization::normFor(const Tensor& input) const {
  const auto& mean = isTraining() ? save_mean : running_mean;
  return {.geometry = geometryOf(input),
          .mean = mean.data<float>(),
          .inverseStd = save_std.data<float>(),
          .weight = affine_ ? weight.data<float>() : nullptr,
          .bias = affine_ ? bias.data<float>() : nullptr};
}

void SpatialBatchNormalization::updateOutput(const Activity& input) {
  const auto& x = input.tensor();
  const auto geometry = geometryOf(x);
  output.tensor().resize(x.shape());
  for (auto* tensor : {&save_mean, &save_std}) tensor->resize({nFeature_});
  hasPendingStatistics_ = isTraining() && !x.isEmpty();
  pendingGeometry_ = geometry;
  if (x.isEmpty()) return;
  if (isTraining()) {
    backend().batchNormStatistics(geometry, eps_, x.data<float>(), save_mean.data<float>(),
                                  save_std.data<float>());
  } else {
    backend().inverseStandardDeviation(nFeature_, eps_, running_var.data<float>(),
                                       save_std.data<float>());
  }
  backend().batchNorm(normFor(x), x.data<float>(), output.tensor().data<float>());
}

void SpatialBatchNormalization::commitForward() {
  if (!hasPendingStatistics_) return;
  backend().updateRunningStatistics({.geometry = pendingGeometry_,
                                     .momentum = momentum_,
                                     .epsilon = eps_,
                                     .mean = save_mean.data<float>(),
                                     .inverseStd = save_std.data<float>(),
                                     .runningMean = running_mean.data<float>(),
                                     .runningVariance = running_var.data<float>()});
  hasPendingStatistics_ = false;
}

BatchNormBackward SpatialBatchNormalization::backwardFor(const Activity& input,
                                                         const Activity& gradOutput) const {
  return {.forward = normFor(input.tensor()),
          .batchStatistics = isTraining(),
          .input = input.tensor().data<float>(),
          .gradOutput = gradOutput.tensor().data<float>()};
}

void SpatialBatchNormalization::updateGradInput(const Activity& input, const Activity& gradOutput) {
  gradInput.tensor().resize(input.tensor().shape());
  if (input.tensor().isEmpty()) return;
  auto backward = backwardFor(input, gradOutput);
  backward.gradInput = gradInput.tensor().data<float>();
  backend().batchNormBackward(backward);
}

void SpatialBatchNormalization::accGradParameters(const Activity& input, const Activity& gradOutput,
                                                  float scale) {
  if (!affine_ || input.tensor().isEmpty()) return;
  auto backward = backwardFor(input, gradOutput);
  backward.gradWeight = gradWeight.data<float>();
  backward.gradBias = gradBias.data<float>();
  backward.scale = scale;
  backend().batchNormBackward(backward);
}

}  // namespace torchette::nn

// SpatialBatchNormalization: each plane normalised over batch and pixels.
#pragma once

#include "layers/module.h"

namespace torchette::nn {

/// Input batch x nFeature x H x W, output alike: (x - mean) / sqrt(variance + eps) weight + bias.
/// Training takes mean and biased variance from the batch and moves the running ones towards them
/// (the unbiased variance) by `momentum`, once the forward of the whole network has succeeded;
/// evaluation takes the running ones.
class SpatialBatchNormalization final : public Module {
 public:
  /// Arguments in Torch7's order. Weight starts uniform in [0, 1), bias 0. Throws ArgumentError for
  /// nFeature < 1.
  explicit SpatialBatchNormalization(Context context, std::int64_t nFeature, double eps = 1e-5,
                                     double momentum = 0.1, bool affine = true);

  std::string type() const override { return "nn.SpatialBatchNormalization"; }
  std::string description() const override;
  void visitTensors(const TensorVisitor& visit) override;

  // All of nFeature elements. weight, bias and their gradients exist only if affine.
  Tensor weight, gradWeight, bias, gradBias;
  Tensor running_mean, running_var;  // NOLINT(readability-identifier-naming): Torch7's names
  /// Mean and 1 / sqrt(variance + eps) that the last forward used.
  Tensor save_mean, save_std;  // NOLINT(readability-identifier-naming)

 protected:
  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;
  void accGradParameters(const Activity& input, const Activity& gradOutput, float scale) override;
  void commitForward() override;

 private:
  PlanesGeometry geometryOf(const Tensor& input) const;
  BatchNorm normFor(const Tensor& input) const;
  BatchNormBackward backwardFor(const Activity& input, const Activity& gradOutput) const;

  std::int64_t nFeature_;
  float eps_, momentum_;
  bool affine_;
  bool hasPendingStatistics_ = false;
  PlanesGeometry pendingGeometry_;
};

}  // namespace torchette::nn

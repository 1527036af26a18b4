// SpatialConvolution: 2-D convolution (cross-correlation) over planes, by columns and gemm.
#pragma once

#include <optional>

#include "layers/convolution.h"

namespace torchette::nn {

/// Input nInputPlane x H x W, with or without a batch in front; output nOutputPlane x oH x oW with
/// oW = floor((W + 2 padW - kW) / dW) + 1 and oH likewise. weight is nOutputPlane x nInputPlane x
/// kH x kW.
///
/// Where each workspace lives, and what it holds, depends on the strategy (workspace_strategy.h).
class SpatialConvolution final : public Convolution {
 public:
  /// Arguments in Torch7's order; padH defaults to padW. Weight and bias start uniform in
  /// +-1 / sqrt(kW kH nInputPlane). Throws ArgumentError for sizes below 1 or negative padding.
  SpatialConvolution(Context context, std::int64_t nInputPlane, std::int64_t nOutputPlane,
                     std::int64_t kW, std::int64_t kH, std::int64_t dW = 1, std::int64_t dH = 1,
                     std::int64_t padW = 0, std::optional<std::int64_t> padH = std::nullopt);

  std::string type() const override { return "nn.SpatialConvolution"; }
  std::string description() const override { return describe(""); }
  WorkspaceStrategy workspaceStrategy() const override;

 protected:
  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;
  void accGradParameters(const Activity& input, const Activity& gradOutput, float scale) override;
  void useWorkspaceStrategy(WorkspaceStrategy strategy) override;
  void requireKeptWorkspace() const override;

 private:
  // Matrix sizes in the comments below: weight O x K, columns K x P, output O x P per sample.
  Call callFor(const Tensor& input) const;
  void resizeWorkspace(const Call& call);
  void updateOutputByBatch(const Call& call, const float* input, float* result);
  void updateOutputBySample(const Call& call, const float* input, float* result);
  void multiplyByWeight(const Call& call, const float* columns, float* result) const;
  void multiplyByWeightTransposed(const Call& call, const float* gradOutput, float* columns) const;
  void accumulateByBatch(const Call& call, const float* gradOutput, float scale);
  void accumulateBySample(const Call& call, const float* input, const float* gradOutput,
                          float scale);

  std::optional<WorkspaceStrategy> chosenStrategy_;  ///< empty: the default of the backend
  std::int64_t keptVersion_ = 0;                     ///< of finput's storage after the last forward
};

}  // namespace torchette::nn

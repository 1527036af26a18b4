// SpatialFullConvolution: 2-D transposed convolution (deconvolution), by gemm and col2im.
#pragma once

#include "layers/convolution.h"

namespace torchette::nn {

/// Input nInputPlane x H x W, with or without a batch in front; output nOutputPlane x oH x oW with
/// oW = (W - 1) dW - 2 padW + kW + adjW and oH likewise. Its forward is the gradInput of a
/// SpatialConvolution. weight is nInputPlane x nOutputPlane x kH x kW.
///
/// Works one sample at a time whatever the strategy, as Torch7 does on every device: finput
/// (nOutputPlane kH kW) x (H W) holds columns, fgradInput oH x oW is a plane of ones for the bias.
class SpatialFullConvolution final : public Convolution {
 public:
  /// Arguments in Torch7's order. Weight and bias start uniform in +-1 / sqrt(kW kH nInputPlane).
  /// Throws ArgumentError for sizes below 1, negative padding, or an adjustment not below its
  /// stride.
  SpatialFullConvolution(Context context, std::int64_t nInputPlane, std::int64_t nOutputPlane,
                         std::int64_t kW, std::int64_t kH, std::int64_t dW = 1, std::int64_t dH = 1,
                         std::int64_t padW = 0, std::int64_t padH = 0, std::int64_t adjW = 0,
                         std::int64_t adjH = 0);

  std::string type() const override { return "nn.SpatialFullConvolution"; }
  std::string description() const override;
  WorkspaceStrategy workspaceStrategy() const override { return WorkspaceStrategy::sample; }

 protected:
  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;
  void accGradParameters(const Activity& input, const Activity& gradOutput, float scale) override;

 private:
  // Matrix sizes: weight I x K, columns K x P, input I x P per sample.
  Call callFor(const Tensor& input) const;

  std::int64_t adjW_, adjH_;
};

}  // namespace torchette::nn

// SpatialMaxPooling: the maximum of each window of each plane.
#pragma once

#include "layers/pooling.h"

namespace torchette::nn {

/// NaN is never a maximum, as in Torch7.
class SpatialMaxPooling final : public Pooling {
 public:
  /// Arguments in Torch7's order; the stride defaults to the kernel.
  SpatialMaxPooling(Context context, std::int64_t kW, std::int64_t kH,
                    std::optional<std::int64_t> dW = std::nullopt,
                    std::optional<std::int64_t> dH = std::nullopt, std::int64_t padW = 0,
                    std::int64_t padH = 0);

  std::string type() const override { return "nn.SpatialMaxPooling"; }
  void visitTensors(const TensorVisitor& visit) override;

  /// int64, shaped like output: position y * width + x of each maximum in its input plane, -1 if
  /// the window held only NaN. (Torch7 counts from 1.)
  Tensor indices;

 protected:
  void pool(const PoolingGeometry& geometry, const Tensor& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;
};

}  // namespace torchette::nn

// SpatialAveragePooling: the mean of each window of each plane.
#pragma once

#include "layers/pooling.h"

namespace torchette::nn {

class SpatialAveragePooling final : public Pooling {
 public:
  /// Arguments in Torch7's order; the stride defaults to 1.
  SpatialAveragePooling(Context context, std::int64_t kW, std::int64_t kH, std::int64_t dW = 1,
                        std::int64_t dH = 1, std::int64_t padW = 0, std::int64_t padH = 0);

  std::string type() const override { return "nn.SpatialAveragePooling"; }

  /// Divide by the window's extent in the padded image (the default), or by the pixels inside the
  /// image.
  void setCountIncludePad() { countIncludePad_ = true; }
  void setCountExcludePad() { countIncludePad_ = false; }

 protected:
  void pool(const PoolingGeometry& geometry, const Tensor& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;

 private:
  bool countIncludePad_ = true;
};

}  // namespace torchette::nn

// Pooling: what the pooling layers have in common.
#pragma once

#include <optional>

#include "layers/image_batch.h"
#include "layers/module.h"

namespace torchette::nn {

/// Input planes x H x W, with or without a batch in front; output planes x oH x oW with
/// oW = floor((W + 2 padW - kW) / dW) + 1, or rounded up in ceil mode, and oH likewise.
class Pooling : public Module {
 public:
  std::string description() const override;

  /// Round the output extent up (ceil) or down (floor, the default).
  void ceil() { ceilMode_ = true; }
  void floor() { ceilMode_ = false; }

 protected:
  /// Throws ArgumentError for sizes below 1, negative padding, or padding over half the kernel.
  Pooling(Context context, const Window& window);

  void updateOutput(const Activity& input) override;
  /// Fills output, which has its shape.
  virtual void pool(const PoolingGeometry& geometry, const Tensor& input) = 0;

  PoolingGeometry geometryFor(const ImageBatch& images) const;

 private:
  ImageBatch outputFor(const ImageBatch& images) const;

  const Window window_;
  bool ceilMode_ = false;
};

}  // namespace torchette::nn

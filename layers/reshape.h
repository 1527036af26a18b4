// Reshape: the same elements under another shape; a batch of one stays a batch.
#pragma once

#include <optional>

#include "layers/module.h"

namespace torchette::nn {

/// The batch dimension is the input's first. Without batchMode it is there unless the input has
/// exactly the named number of elements and more than one entry in its first dimension. Results are
/// views.
class Reshape final : public Module {
 public:
  /// Throws ArgumentError for sizes below 1 or no size. batchMode true: always a batch; false:
  /// never.
  Reshape(Context context, std::vector<std::int64_t> sizes,
          std::optional<bool> batchMode = std::nullopt);

  std::string type() const override { return "nn.Reshape"; }
  std::string description() const override;

 protected:
  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;

 private:
  Shape sizes_;
  std::optional<bool> batchMode_;
};

}  // namespace torchette::nn

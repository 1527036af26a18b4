// CAddTable: the sum of a table of tensors of one shape.
#pragma once

#include "layers/module.h"

namespace torchette::nn {

/// In place, output is the first tensor's own storage, which is overwritten, and every gradInput is
/// gradOutput.
class CAddTable final : public Module {
 public:
  explicit CAddTable(Context context, bool inplace = false)
      : Module(std::move(context)), inplace_(inplace) {}

  std::string type() const override { return "nn.CAddTable"; }

 protected:
  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;

 private:
  /// The gradInput of entry i from the last backward, or a new one, holding a copy of gradOutput.
  Tensor copiedGradient(std::size_t i, const Tensor& gradOutput) const;

  bool inplace_;
};

}  // namespace torchette::nn

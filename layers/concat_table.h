// ConcatTable: feeds one input to several modules and collects their outputs in a table.
#pragma once

#include "layers/container.h"

namespace torchette::nn {

/// gradInput is the sum of the modules' gradInputs; each must be one tensor.
class ConcatTable final : public Container {
 public:
  explicit ConcatTable(Context context) : Container(std::move(context)) {}

  std::string type() const override { return "nn.ConcatTable"; }
  std::string description() const override;

 protected:
  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;
  void accGradParameters(const Activity& input, const Activity& gradOutput, float scale) override;
};

}  // namespace torchette::nn

// Sequential: modules one after the other.
#pragma once

#include "layers/container.h"

namespace torchette::nn {

/// output is the last module's output, gradInput the first module's gradInput; both are views, not
/// copies. Without modules it is the identity.
class Sequential final : public Container {
 public:
  explicit Sequential(Context context) : Container(std::move(context)) {}

  std::string type() const override { return "nn.Sequential"; }
  std::string description() const override;

 protected:
  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;
  void accGradParameters(const Activity& input, const Activity& gradOutput, float scale) override;
};

}  // namespace torchette::nn

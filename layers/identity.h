// Identity: passes its input, tensor or table, on as it is.
#pragma once

#include "layers/module.h"

namespace torchette::nn {

class Identity final : public Module {
 public:
  explicit Identity(Context context) : Module(std::move(context)) {}

  std::string type() const override { return "nn.Identity"; }

 protected:
  void updateOutput(const Activity& input) override { output = input; }
  void updateGradInput(const Activity& /*input*/, const Activity& gradOutput) override {
    gradInput = gradOutput;
  }
};

}  // namespace torchette::nn

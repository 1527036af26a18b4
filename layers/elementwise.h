// Elementwise: base of the layers that apply one non-linearity to every element.
#pragma once

#include "layers/module.h"

namespace torchette::nn {

/// output[i] = f(input[i]) for inputs of any shape. In place, output is the input's own storage,
/// and gradInput the gradOutput's: both are overwritten, as in Torch7.
class Elementwise : public Module {
 protected:
  Elementwise(Context context, const Activation& activation, bool inplace);

  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;

  const Activation activation_;

 private:
  bool inplace_;
};

}  // namespace torchette::nn

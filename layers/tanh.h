// Tanh: the hyperbolic tangent.
#pragma once

#include "layers/elementwise.h"

namespace torchette::nn {

class Tanh final : public Elementwise {
 public:
  explicit Tanh(Context context);

  std::string type() const override { return "nn.Tanh"; }
};

}  // namespace torchette::nn

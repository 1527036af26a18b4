// Sigmoid: 1 / (1 + exp(-x)).
#pragma once

#include "layers/elementwise.h"

namespace torchette::nn {

class Sigmoid final : public Elementwise {
 public:
  explicit Sigmoid(Context context);

  std::string type() const override { return "nn.Sigmoid"; }
};

}  // namespace torchette::nn

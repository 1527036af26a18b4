// ReLU: max(x, 0).
#pragma once

#include "layers/elementwise.h"

namespace torchette::nn {

/// NaN becomes 0, as in Torch7.
class ReLU final : public Elementwise {
 public:
  explicit ReLU(Context context, bool inplace = false);

  std::string type() const override { return "nn.ReLU"; }
};

}  // namespace torchette::nn

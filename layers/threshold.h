// Threshold: x where it is above a threshold, else a constant.
#pragma once

#include "layers/elementwise.h"

namespace torchette::nn {

/// NaN becomes the constant, as in Torch7.
class Threshold final : public Elementwise {
 public:
  /// Arguments in Torch7's order. In place, the value must not exceed the threshold, else backward
  /// could not tell replaced elements: throws ArgumentError.
  explicit Threshold(Context context, double threshold = 1e-6, double value = 0,
                     bool inplace = false);

  std::string type() const override { return "nn.Threshold"; }
};

}  // namespace torchette::nn

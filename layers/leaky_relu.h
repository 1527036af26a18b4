// LeakyReLU: x where positive, else negativeSlope x.
#pragma once

#include "layers/elementwise.h"

namespace torchette::nn {

class LeakyReLU final : public Elementwise {
 public:
  /// A negative slope is never done in place, as in Torch7: the input's sign would be lost.
  explicit LeakyReLU(Context context, double negativeSlope = 0.01, bool inplace = false);

  std::string type() const override { return "nn.LeakyReLU"; }
  std::string description() const override;
};

}  // namespace torchette::nn

#include "layers/leaky_relu.h"

#include "layers/number_text.h"

namespace torchette::nn {

LeakyReLU::LeakyReLU(Context context, double negativeSlope, bool inplace)
    : Elementwise(
          std::move(context),
          {.kind = Activation::Kind::leakyRelu, .negativeSlope = static_cast<float>(negativeSlope)},
          inplace && negativeSlope >= 0) {}

std::string LeakyReLU::description() const {
  return type() + "(" + numberText(activation_.negativeSlope) + ")";
}

}  // namespace torchette::nn

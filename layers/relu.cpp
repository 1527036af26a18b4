#include "layers/relu.h"

namespace torchette::nn {

ReLU::ReLU(Context context, bool inplace)
    : Elementwise(std::move(context), {.kind = Activation::Kind::threshold}, inplace) {}

}  // namespace torchette::nn

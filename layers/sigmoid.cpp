#include "layers/sigmoid.h"

namespace torchette::nn {

Sigmoid::Sigmoid(Context context)
    : Elementwise(std::move(context), {.kind = Activation::Kind::sigmoid}, false) {}

}  // namespace torchette::nn

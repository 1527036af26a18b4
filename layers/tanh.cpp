#include "layers/tanh.h"

namespace torchette::nn {

Tanh::Tanh(Context context)
    : Elementwise(std::move(context), {.kind = Activation::Kind::tanh}, false) {}

}  // namespace torchette::nn

// Products that spread a bias over the plane of ones that per-sample convolutions keep in
// fgradInput.
#pragma once

#include "backends/backend.h"
#include "runtime/tensor.h"

namespace torchette::nn {

/// output (planes x pixels) = bias (planes x 1) ones (1 x pixels)
void spreadBias(Backend& backend, const Tensor& bias, const Tensor& ones, float* output);

/// output (planes x pixels) += bias (planes x 1) ones (1 x pixels)
void addBias(Backend& backend, const Tensor& bias, const Tensor& ones, float* output);

}  // namespace torchette::nn

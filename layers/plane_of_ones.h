// The plane of ones that per-sample convolutions keep in fgradInput, to spread a bias by a product.
#pragma once

#include "backends/backend.h"
#include "layers/image_batch.h"

namespace torchette::nn {

/// Makes `ones` height x width of 1s; does nothing if it has this shape already.
void resizeToOnes(Backend& backend, Tensor& ones, const ImageBatch& images);

/// output (planes x pixels) = bias (planes x 1) ones (1 x pixels)
void spreadBias(Backend& backend, const Tensor& bias, const Tensor& ones, float* output);

/// output (planes x pixels) += bias (planes x 1) ones (1 x pixels)
void addBias(Backend& backend, const Tensor& bias, const Tensor& ones, float* output);

}  // namespace torchette::nn

#include "layers/plane_of_ones.h"

namespace torchette::nn {

namespace {

Gemm outerProduct(const Tensor& bias, const Tensor& ones, float beta, float* output) {
  return {.m = bias.elements(),
          .n = ones.elements(),
          .k = 1,
          .a = bias.data<float>(),
          .lda = 1,
          .b = ones.data<float>(),
          .ldb = ones.elements(),
          .beta = beta,
          .c = output,
          .ldc = ones.elements()};
}

}  // namespace

void resizeToOnes(Backend& backend, Tensor& ones, const ImageBatch& images) {
  const Shape shape{images.height, images.width};
  if (ones.shape() == shape) return;
  ones.resize(shape);
  backend.fill(ones.elements(), 1, ones.data<float>());
}

void spreadBias(Backend& backend, const Tensor& bias, const Tensor& ones, float* output) {
  backend.gemm(outerProduct(bias, ones, 0, output));
}

void addBias(Backend& backend, const Tensor& bias, const Tensor& ones, float* output) {
  backend.gemm(outerProduct(bias, ones, 1, output));
}

}  // namespace torchette::nn

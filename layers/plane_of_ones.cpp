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

void spreadBias(Backend& backend, const Tensor& bias, const Tensor& ones, float* output) {
  backend.gemm(outerProduct(bias, ones, 0, output));
}

void addBias(Backend& backend, const Tensor& bias, const Tensor& ones, float* output) {
  backend.gemm(outerProduct(bias, ones, 1, output));
}

}  // namespace torchette::nn

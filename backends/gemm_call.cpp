#include "backends/gemm_call.h"

namespace torchette {

ColumnMajorGemm toColumnMajor(const Gemm& gemm) {
  return {.transposeA = gemm.transposeB,
          .transposeB = gemm.transposeA,
          .m = gemm.n,
          .n = gemm.m,
          .k = gemm.k,
          .alpha = gemm.alpha,
          .a = gemm.b,
          .lda = gemm.ldb,
          .b = gemm.a,
          .ldb = gemm.lda,
          .beta = gemm.beta,
          .c = gemm.c,
          .ldc = gemm.ldc};
}

}  // namespace torchette

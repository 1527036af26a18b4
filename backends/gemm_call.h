// The translation of row-major gemm arguments into the column-major call that BLAS libraries take.
#pragma once

#include "backends/operations.h"

namespace torchette {

/// Arguments of a column-major gemm: C = alpha op(A) op(B) + beta C with op(A) m x k, op(B) k x n.
struct ColumnMajorGemm {
  bool transposeA = false, transposeB = false;
  std::int64_t m = 0, n = 0, k = 0;
  float alpha = 1;
  const float* a = nullptr;
  std::int64_t lda = 0;
  const float* b = nullptr;
  std::int64_t ldb = 0;
  float beta = 0;
  float* c = nullptr;
  std::int64_t ldc = 0;
};

/// A row-major matrix is the column-major form of its transpose, and (A B)^T = B^T A^T: the
/// operands change places, m and n swap, and every flag keeps its value.
ColumnMajorGemm toColumnMajor(const Gemm& gemm);

}  // namespace torchette

// The translation of row-major products for column-major libraries.
#include "backends/gemm_call.h"

#include <doctest/doctest.h>

namespace torchette::testing {

TEST_CASE("the column-major product swaps the operands and keeps their flags") {
  const float a = 0;
  const float b = 0;
  float c = 0;
  const ColumnMajorGemm call = toColumnMajor({.transposeA = true,
                                              .transposeB = false,
                                              .m = 2,
                                              .n = 3,
                                              .k = 5,
                                              .alpha = 7,
                                              .a = &a,
                                              .lda = 11,
                                              .b = &b,
                                              .ldb = 13,
                                              .beta = 17,
                                              .c = &c,
                                              .ldc = 19});
  CHECK_FALSE(call.transposeA);
  CHECK(call.transposeB);
  CHECK(call.m == 3);
  CHECK(call.n == 2);
  CHECK(call.k == 5);
  CHECK(call.alpha == 7);
  CHECK(call.a == &b);
  CHECK(call.lda == 13);
  CHECK(call.b == &a);
  CHECK(call.ldb == 11);
  CHECK(call.beta == 17);
  CHECK(call.c == &c);
  CHECK(call.ldc == 19);
}

}  // namespace torchette::testing

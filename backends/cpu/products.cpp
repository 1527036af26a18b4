// Matrix products by OpenBLAS, split over the lanes by rows or columns of the result.
#include <cblas.h>

#include <algorithm>
#include <limits>
#include <string>

#include "backends/cpu/column_major_gemm.h"
#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/lanes.h"
#include "runtime/errors.h"

namespace torchette {

namespace {

/// Splits fall on multiples of this, so that no lane gets an odd sliver of OpenBLAS's register
/// blocks.
constexpr std::int64_t splitUnit = 16;
/// Multiplications worth a lane of their own.
constexpr std::int64_t productGrain = std::int64_t{1} << 17;

/// For the arguments of a product in either order.
template <class AnyGemm>
void requireFitsBlas(const AnyGemm& gemm) {
  const std::int64_t largest = std::max({gemm.m, gemm.n, gemm.k, gemm.lda, gemm.ldb, gemm.ldc});
  constexpr std::int64_t limit = std::numeric_limits<blasint>::max();
  if (largest <= limit) return;
  throw ArgumentError("gemm", "an extent or leading dimension of " + std::to_string(largest) +
                                  " does not fit OpenBLAS, which takes at most " +
                                  std::to_string(limit) + "; split the matrix");
}

blasint toBlas(std::int64_t extent) { return static_cast<blasint>(extent); }

CBLAS_TRANSPOSE toBlas(bool transpose) { return transpose ? CblasTrans : CblasNoTrans; }

void callBlas(const ColumnMajorGemm& call) {
  cblas_sgemm(CblasColMajor, toBlas(call.transposeA), toBlas(call.transposeB), toBlas(call.m),
              toBlas(call.n), toBlas(call.k), call.alpha, call.a, toBlas(call.lda), call.b,
              toBlas(call.ldb), call.beta, call.c, toBlas(call.ldc));
}

/// C = beta C, the whole product when k is 0.
void scaleResult(const Gemm& gemm) {
  for (std::int64_t row = 0; row < gemm.m; ++row) {
    float* c = gemm.c + row * gemm.ldc;
    for (std::int64_t i = 0; i < gemm.n; ++i) c[i] = gemm.beta == 0 ? 0 : gemm.beta * c[i];
  }
}

/// The part of the product that makes rows [begin, end) of C.
Gemm rowsOf(Gemm gemm, std::int64_t begin, std::int64_t end) {
  gemm.a += gemm.transposeA ? begin : begin * gemm.lda;
  gemm.c += begin * gemm.ldc;
  gemm.m = end - begin;
  return gemm;
}

/// The part of the product that makes columns [begin, end) of C.
Gemm columnsOf(Gemm gemm, std::int64_t begin, std::int64_t end) {
  gemm.b += gemm.transposeB ? begin * gemm.ldb : begin;
  gemm.c += begin;
  gemm.n = end - begin;
  return gemm;
}

}  // namespace

void columnMajorGemm(const ColumnMajorGemm& gemm) {
  static const bool usesOneThread = (openblas_set_num_threads(1), true);
  static_cast<void>(usesOneThread);
  requireFitsBlas(gemm);
  callBlas(gemm);
}

void CpuBackend::gemm(const Gemm& gemm) {
  requireFitsBlas(gemm);
  if (gemm.m == 0 || gemm.n == 0) return;
  if (gemm.k == 0) return scaleResult(gemm);
  const bool splitsRows = gemm.m > gemm.n;
  const std::int64_t extent = std::max(gemm.m, gemm.n);
  const std::int64_t productsPerUnit = splitUnit * std::min(gemm.m, gemm.n) * gemm.k;
  const std::int64_t units = (extent + splitUnit - 1) / splitUnit;
  cpu::parallelFor(lanes_, units, std::max<std::int64_t>(1, productGrain / productsPerUnit),
                   [&](std::int64_t first, std::int64_t last) {
                     const std::int64_t begin = first * splitUnit;
                     const std::int64_t end = std::min(last * splitUnit, extent);
                     callBlas(toColumnMajor(splitsRows ? rowsOf(gemm, begin, end)
                                                       : columnsOf(gemm, begin, end)));
                   });
}

}  // namespace torchette

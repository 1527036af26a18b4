// Matrix products.
#include <doctest/doctest.h>

#include "runtime/errors.h"
#include "tests/backends/operands.h"
#include "tests/backends/sparse_memory.h"
#include "tests/support/check_throws.h"
#include "tests/support/naive.h"

namespace torchette::testing {

namespace {

struct Extents {
  std::int64_t m, n, k;
};

/// A product whose leading dimensions are `slack` larger than they must be.
Gemm product(Extents extents, bool transposeA, bool transposeB, std::int64_t slack) {
  const auto [m, n, k] = extents;
  return {.transposeA = transposeA,
          .transposeB = transposeB,
          .m = m,
          .n = n,
          .k = k,
          .lda = (transposeA ? m : k) + slack,
          .ldb = (transposeB ? k : n) + slack,
          .ldc = n + slack};
}

/// Runs the product on random operands and compares all of C, slack included, with the reference.
void checkProduct(Backend& backend, Gemm gemm) {
  CAPTURE(gemm.transposeA);
  CAPTURE(gemm.transposeB);
  CAPTURE(gemm.m);
  CAPTURE(gemm.n);
  CAPTURE(gemm.k);
  CAPTURE(gemm.alpha);
  CAPTURE(gemm.beta);
  const Tensor a = randomTensor(backend, {gemm.transposeA ? gemm.k : gemm.m, gemm.lda}, 1);
  const Tensor b = randomTensor(backend, {gemm.transposeB ? gemm.n : gemm.k, gemm.ldb}, 2);
  const Tensor c = randomTensor(backend, {gemm.m, gemm.ldc}, 3);
  const auto expected = naive::gemm(gemm, valuesOf(a), valuesOf(b), valuesOf(c));
  gemm.a = at(a);
  gemm.b = at(b);
  gemm.c = at(c);
  backend.gemm(gemm);
  checkClose(valuesOf(c), expected, 1e-5);
}

}  // namespace

TEST_CASE("gemm agrees with the reference for all transposes and leading dimensions") {
  FOR_EACH_BACKEND(backend) {
    for (const Extents extents : {Extents{1, 1, 1}, {3, 5, 7}, {20, 33, 25}, {64, 10, 48}}) {
      for (const bool transposeA : {false, true}) {
        for (const bool transposeB : {false, true}) {
          for (const std::int64_t slack : {0, 3}) {
            checkProduct(*backend, product(extents, transposeA, transposeB, slack));
          }
        }
      }
    }
  }
}

TEST_CASE("gemm agrees with the reference where it is split over lanes") {
  FOR_EACH_BACKEND(backend) {
    for (const Extents extents : {Extents{205, 40, 90}, {30, 333, 100}, {100, 100, 100}}) {
      for (const bool transposeA : {false, true}) {
        for (const bool transposeB : {false, true}) {
          checkProduct(*backend, product(extents, transposeA, transposeB, 2));
        }
      }
    }
  }
}

TEST_CASE("gemm applies alpha and beta") {
  FOR_EACH_BACKEND(backend) {
    for (const float alpha : {0.0F, 1.0F, -0.5F}) {
      for (const float beta : {0.0F, 1.0F, 0.25F}) {
        Gemm gemm = product({17, 19, 23}, false, true, 1);
        gemm.alpha = alpha;
        gemm.beta = beta;
        checkProduct(*backend, gemm);
      }
    }
  }
}

TEST_CASE("gemm with beta zero does not read what C held") {
  FOR_EACH_BACKEND(backend) {
    for (const std::int64_t k : {0, 4}) {
      const std::vector<float> ones(40, 1.0F);
      const Tensor a = tensor(*backend, {40}, ones);
      const Tensor b = tensor(*backend, {40}, ones);
      const Tensor c = room(*backend, {5, 7});
      Gemm gemm = product({5, 7, k}, false, false, 0);
      gemm.a = at(a);
      gemm.b = at(b);
      gemm.c = at(c);
      backend->gemm(gemm);
      CHECK(valuesOf(c) == std::vector<float>(35, static_cast<float>(k)));
    }
  }
}

TEST_CASE("gemm without products only scales C") {
  FOR_EACH_BACKEND(backend) {
    const Tensor c = tensor(*backend, {2, 3}, {1, 2, 3, 4, 5, 6});
    Gemm gemm = product({2, 2, 0}, false, false, 0);
    gemm.ldc = 3;
    gemm.beta = 0.5F;
    gemm.c = at(c);
    backend->gemm(gemm);
    CHECK(valuesOf(c) == std::vector<float>{0.5F, 1, 3, 2, 2.5F, 6});
  }
}

TEST_CASE("gemm of an empty result does nothing") {
  FOR_EACH_BACKEND(backend) {
    backend->gemm(product({0, 5, 5}, false, false, 0));
    backend->gemm(product({5, 0, 5}, true, false, 0));
    backend->gemm(product({0, 0, 0}, false, true, 0));
  }
}

TEST_CASE("gemm finds rows that lie more than 2^31 elements apart") {
  constexpr std::int64_t distance = (std::int64_t{1} << 31) - 1;
  const SparseFloats a(2 * distance + 2);
  for (const int row : {0, 1, 2}) a.data()[row * distance] = static_cast<float>(row + 1);
  const std::vector<float> b{10};
  std::vector<float> c(3);
  cpuBackend()->gemm({.m = 3,
                      .n = 1,
                      .k = 1,
                      .a = a.data(),
                      .lda = distance,
                      .b = b.data(),
                      .ldb = 1,
                      .c = c.data(),
                      .ldc = 1});
  CHECK(c == std::vector<float>{10, 20, 30});
}

TEST_CASE("gemm refuses what the BLAS library cannot count") {
  constexpr std::int64_t tooMany = std::int64_t{1} << 31;
  for (const Extents extents : {Extents{tooMany, 1, 1}, {1, tooMany, 1}, {1, 1, tooMany}}) {
    checkThrows<ArgumentError>([&] { cpuBackend()->gemm(product(extents, false, false, 0)); },
                               {"gemm", "2147483648", "2147483647"});
  }
}

}  // namespace torchette::testing

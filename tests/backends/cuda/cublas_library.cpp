// cuBLAS is found where it was when torchette was built, and has all that is called.
#include "backends/cuda/cublas_library.h"

#include <doctest/doctest.h>

#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/shared_library.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

TEST_CASE("cuBLAS can be loaded and has every function that is called") {
  CHECK_NOTHROW(cuda::cublas());
  CHECK(cuda::cublasProblem().empty());
}

TEST_CASE("a failure of cuBLAS is given with operation and call and code") {
  CHECK_NOTHROW(cuda::require(CUBLAS_STATUS_SUCCESS, "gemm", "cublasSgemm"));
  checkThrows<CudaError>(
      [] { cuda::require(CUBLAS_STATUS_INVALID_VALUE, "gemm", "cublasSgemm"); },
      {"cuda backend: gemm: cublasSgemm failed with CUBLAS_STATUS_INVALID_VALUE ("});
}

TEST_CASE("a library that is not there is not loaded and has no functions") {
  const cuda::SharedLibrary library("libno_such_library.so");
  CHECK_FALSE(library.isLoaded());
  CHECK(library.problem().find("libno_such_library.so") != std::string::npos);
  CHECK((library.find<int()>("main") == nullptr));
}

}  // namespace torchette::testing

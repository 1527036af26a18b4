// What failed CUDA calls become.
#include "backends/cuda/cuda_errors.h"

#include <doctest/doctest.h>

#include <cstring>

#include "backends/cuda/cuda_backend.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

TEST_CASE("a failed CUDA call is given with operation and call and code") {
  CHECK_NOTHROW(cuda::require(cudaSuccess, "copyToHost", "cudaMemcpyAsync"));
  checkThrows<CudaError>(
      [] { cuda::require(cudaErrorInvalidValue, "copyToHost", "cudaMemcpyAsync"); },
      {"cuda backend: copyToHost: cudaMemcpyAsync failed with cudaErrorInvalidValue (invalid "
       "argument)"});
}

TEST_CASE("a failure of earlier work on the GPU is said to be one") {
  checkThrows<CudaError>(
      [] { cuda::require(cudaErrorIllegalAddress, "copyToHost", "cudaStreamSynchronize"); },
      {"cudaErrorIllegalAddress", "issued before", "CUDA_LAUNCH_BLOCKING=1"});
  try {
    cuda::require(cudaErrorInvalidValue, "copyToHost", "cudaMemcpyAsync");
  } catch (const CudaError& error) {
    CHECK(std::strstr(error.what(), "issued before") == nullptr);
  }
}

}  // namespace torchette::testing

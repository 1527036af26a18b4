// Turning the status of CUDA calls into exceptions.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>

namespace torchette::cuda {

/// Where errors of this backend say that they come from.
constexpr const char* errorPlace = "cuda backend";

/// A call that failed: what torchette was doing, the function, and its status.
struct FailedCall {
  std::string_view operation;  ///< "copyToHost"
  std::string_view call;       ///< "cudaMemcpyAsync"
  std::string_view codeName;   ///< "cudaErrorInvalidValue"
  std::string_view codeText;   ///< "invalid argument"
};

/// The message of the error that the failed call becomes.
std::string describe(const FailedCall& failed);

/// Throws CudaError unless the status is success. A failure of earlier work that this call only
/// reported is said to be one.
void require(cudaError_t status, std::string_view operation, std::string_view call);

}  // namespace torchette::cuda

// The text of CUDA errors.
#include "backends/cuda/cuda_errors.h"

#include "backends/cuda/cuda_backend.h"

namespace torchette::cuda {

namespace {

/// Whether work on the GPU failed, which the next call of any kind reports.
bool isOfEarlierWork(cudaError_t status) {
  switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorECCUncorrectable:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string describe(const FailedCall& failed) {
  return std::string(failed.operation) + ": " + std::string(failed.call) + " failed with " +
         std::string(failed.codeName) + " (" + std::string(failed.codeText) + ")";
}

void require(cudaError_t status, std::string_view operation, std::string_view call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // or the next launch would report this failure again
  auto message = describe({operation, call, cudaGetErrorName(status), cudaGetErrorString(status)});
  if (isOfEarlierWork(status)) {
    message +=
        "; an operation issued before may have caused it: run with CUDA_LAUNCH_BLOCKING=1 to see "
        "which";
  }
  throw CudaError(errorPlace, message);
}

}  // namespace torchette::cuda

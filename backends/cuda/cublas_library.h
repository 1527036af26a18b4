// The functions of cuBLAS that torchette calls.
#pragma once

#include <cublas_v2.h>

#include <string>

namespace torchette::cuda {

struct CublasFunctions {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasDestroy_v2) destroy;
  decltype(&cublasSetStream_v2) setStream;
  decltype(&cublasSetWorkspace_v2) setWorkspace;
  decltype(&cublasSetMathMode) setMathMode;
  decltype(&cublasSgemm_v2_64) sgemm;
  decltype(&cublasGetStatusName) statusName;
  decltype(&cublasGetStatusString) statusString;
};

/// Loads the library on first use: that takes more time and memory than a program needs in all
/// which stays on the CPU. Throws StateError if it is not found or lacks a function.
const CublasFunctions& cublas();

/// What cublas() would throw, in one line; "" if nothing.
std::string cublasProblem();

/// Throws CudaError unless the status is success.
void require(cublasStatus_t status, const char* operation, const char* call);

}  // namespace torchette::cuda

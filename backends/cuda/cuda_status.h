// CudaStatus: whether this machine can run the CUDA backend and, if not, why.
#pragma once

#include <cstdint>
#include <string>

namespace torchette {

struct CudaStatus {
  bool isAvailable = false;
  /// One line for people: the card and its memory if available, else what is missing.
  std::string summary = {};
  std::string deviceName = {};   ///< "" unless available
  std::int64_t memoryBytes = 0;  ///< of the whole card; 0 unless available
};

/// What the CUDA runtime answered when it was asked for the first device.
struct CudaProbe {
  int errorCode = 0;  ///< a cudaError_t; 0 is success
  std::string errorName = {};
  std::string errorText = {};
  int driverVersion = 0;   ///< newest CUDA that the driver supports, e.g. 13000; 0 without a driver
  int runtimeVersion = 0;  ///< CUDA that this program was built with
  int major = 0, minor = 0;  ///< compute capability
  std::string deviceName = {};
  std::int64_t memoryBytes = 0;
};

/// The verdict on a probe.
CudaStatus cudaStatusOf(const CudaProbe& probe);

}  // namespace torchette

// Telling people in one line what stands between them and a GPU.
#include "backends/cuda/cuda_status.h"

#include <utility>

namespace torchette {

namespace {

constexpr int oldestMajor = 8;

// Values of cudaError_t, which are part of CUDA's binary interface.
constexpr int stubLibrary = 34;
constexpr int insufficientDriver = 35;
constexpr int noDevice = 100;

/// "12.4" for 12040
std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string driverProblem(const CudaProbe& probe) {
  if (probe.driverVersion == 0) {
    return "no NVIDIA driver is installed on this machine (libcuda.so.1 is missing)";
  }
  return "the NVIDIA driver is too old: it supports CUDA " + versionText(probe.driverVersion) +
         ", this program needs " + versionText(probe.runtimeVersion) + "; update the driver";
}

/// Why there is no device to speak of.
std::string startProblem(const CudaProbe& probe) {
  switch (probe.errorCode) {
    case insufficientDriver:
      return driverProblem(probe);
    case stubLibrary:
      return "the NVIDIA driver's library libcuda.so.1 is a stub that is only for linking; remove "
             "it from the library path";
    case noDevice:
      return "the NVIDIA driver finds no GPU (none is there, or CUDA_VISIBLE_DEVICES hides it)";
    default:
      return "the NVIDIA driver does not start: " + probe.errorName + " (" + probe.errorText + ")";
  }
}

std::string capabilityText(const CudaProbe& probe) {
  return std::to_string(probe.major) + "." + std::to_string(probe.minor);
}

CudaStatus unavailable(std::string reason) { return {.summary = std::move(reason)}; }

}  // namespace

CudaStatus cudaStatusOf(const CudaProbe& probe) {
  if (probe.errorCode != 0) return unavailable(startProblem(probe));
  if (probe.major < oldestMajor) {
    return unavailable("the GPU is too old: " + probe.deviceName + " has compute capability " +
                       capabilityText(probe) + ", 8.0 or newer is needed");
  }
  return {.isAvailable = true,
          .summary = probe.deviceName + " (compute capability " + capabilityText(probe) + ", " +
                     std::to_string(probe.memoryBytes >> 20) + " MiB)",
          .deviceName = probe.deviceName,
          .memoryBytes = probe.memoryBytes};
}

}  // namespace torchette

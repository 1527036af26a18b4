// Asking for the first device, starting it, and watching its memory while that happens.
#include "backends/cuda/cuda_context.h"

#include <cuda_runtime_api.h>

#include <array>
#include <mutex>
#include <string>
#include <utility>

#include "backends/cuda/cublas_library.h"
#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/cuda_errors.h"
#include "backends/cuda/management_library.h"

namespace torchette {

namespace {

constexpr int firstDevice = 0;

struct Context {
  std::once_flag isCreated;
  bool exists = false;
  CudaContextMemory memory;
};

Context& context() {
  static Context instance;
  return instance;
}

/// The device's answer to a first question, success where it has none to give.
cudaError_t askDevice(CudaProbe& probe) {
  int devices = 0;
  if (const auto status = cudaGetDeviceCount(&devices); status != cudaSuccess) return status;
  if (devices == 0) return cudaErrorNoDevice;
  cudaDeviceProp properties{};
  if (const auto status = cudaGetDeviceProperties(&properties, firstDevice);
      status != cudaSuccess) {
    return status;
  }
  probe.major = properties.major;
  probe.minor = properties.minor;
  probe.deviceName = static_cast<const char*>(properties.name);
  probe.memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  return cudaSuccess;
}

CudaProbe askRuntime() {
  CudaProbe probe;
  cudaDriverGetVersion(&probe.driverVersion);
  cudaRuntimeGetVersion(&probe.runtimeVersion);
  const auto status = askDevice(probe);
  cudaGetLastError();  // what was asked in vain here is no failure of what comes next
  probe.errorCode = status;
  probe.errorName = cudaGetErrorName(status);
  probe.errorText = cudaGetErrorString(status);
  return probe;
}

/// "0000:3b:00.0"; "" if unknown.
std::string busAddress() {
  std::array<char, 32> address{};
  const auto status =
      cudaDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), firstDevice);
  cudaGetLastError();
  return status == cudaSuccess ? address.data() : "";
}

/// What the context itself can tell, once there is one.
std::optional<std::int64_t> bytesInUseByContext() {
  std::size_t freeBytes = 0, allBytes = 0;
  if (!context().exists || cudaMemGetInfo(&freeBytes, &allBytes) != cudaSuccess) return {};
  return static_cast<std::int64_t>(allBytes - freeBytes);
}

void createContext() {
  context().memory.bytesBefore = cudaBytesInUse();
  cuda::require(cudaSetDevice(firstDevice), "start", "cudaSetDevice");
  cuda::require(cudaFree(nullptr), "start", "cudaFree");  // the first call that needs a context
  context().exists = true;
  context().memory.bytesAfter = cudaBytesInUse();
}

}  // namespace

CudaStatus cudaStatus() {
  auto status = cudaStatusOf(askRuntime());
  if (!status.isAvailable) return status;
  auto problem = cuda::cublasProblem();
  return problem.empty() ? status : CudaStatus{.summary = std::move(problem)};
}

std::optional<std::int64_t> cudaBytesInUse() {
  const auto address = busAddress();
  if (address.empty()) return {};
  const auto bytes = cuda::bytesInUseByManagementLibrary(address);
  return bytes ? bytes : bytesInUseByContext();
}

CudaContextMemory cudaContextMemory() { return context().memory; }

void cuda::requireContext() {
  const auto status = cudaStatus();
  if (!status.isAvailable) throw StateError(cuda::errorPlace, status.summary);
  std::call_once(context().isCreated, createContext);
}

}  // namespace torchette

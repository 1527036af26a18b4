// What takes the place of the CUDA backend where torchette was built without it.
#include "backends/cuda/cuda_backend.h"

namespace torchette {

namespace {

constexpr const char* reason =
    "not built: this program was compiled without the CUDA Toolkit; build it with "
    "-DTORCHETTE_CUDA=ON";

}  // namespace

CudaStatus cudaStatus() { return {.summary = reason}; }

std::shared_ptr<Device> makeCudaDevice(const CudaDeviceOptions& /*options*/) {
  throw StateError("cuda backend", reason);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): the declaration's parameter
std::shared_ptr<Backend> makeCudaBackend(std::shared_ptr<Allocator> /*allocator*/,
                                         const CudaBackendOptions& /*options*/) {
  throw StateError("cuda backend", reason);
}

std::optional<std::int64_t> cudaBytesInUse() { return {}; }

CudaContextMemory cudaContextMemory() { return {}; }

double cudaMilliseconds(Device& /*device*/, const std::function<void()>& /*issue*/) {
  throw StateError("cuda backend", reason);
}

}  // namespace torchette

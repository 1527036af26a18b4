#include "backends/simulated/simulated_backend.h"

#include <string>

#include "backends/cpu/column_major_gemm.h"
#include "backends/kernel_backend.h"
#include "backends/simulated/simulated_launcher.h"
#include "runtime/errors.h"

namespace torchette {

namespace {

SimulatedDevice& simulatedDeviceOf(const Allocator& allocator) {
  auto* device = dynamic_cast<SimulatedDevice*>(&allocator.device());
  if (device == nullptr) {
    throw ArgumentError("simulated backend", "needs memory of a simulated device, got that of '" +
                                                 std::string(allocator.device().name()) + "'");
  }
  return *device;
}

}  // namespace

void SimulatedLauncher::gemm(const ColumnMajorGemm& gemm) {
  const SimulatedDevice::Access access(device_);
  columnMajorGemm(gemm);
}

std::shared_ptr<Device> makeSimulatedDevice(const SimulatedDeviceOptions& options) {
  return std::make_shared<SimulatedDevice>(options);
}

std::shared_ptr<Backend> makeSimulatedBackend(std::shared_ptr<Allocator> allocator,
                                              const SimulatedOptions& options) {
  auto& device = simulatedDeviceOf(*allocator);
  return std::make_shared<KernelBackend<SimulatedLauncher>>(std::move(allocator), device, options);
}

}  // namespace torchette

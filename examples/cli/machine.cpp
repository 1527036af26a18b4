// Stacking allocators under a backend.
#include "examples/cli/machine.h"

#include "backends/dry/dry_backend.h"
#include "backends/dry/dry_device.h"
#include "runtime/allocators.h"

namespace torchette::cli {

Machine makeMachine(const MachineOptions& options) {
  auto ledger = std::make_shared<Ledger>();
  std::shared_ptr<Device> device = std::make_shared<DryDevice>();
  if (!options.isEstimate) device = makeDevice(options.backend);
  std::shared_ptr<Allocator> allocator = std::make_shared<DeviceAllocator>(std::move(device));
  allocator = std::make_shared<TrackingAllocator>(std::move(allocator), ledger);
  if (options.memoryLimitBytes) {
    allocator = std::make_shared<LimitingAllocator>(std::move(allocator), ledger,
                                                    *options.memoryLimitBytes);
  }
  if (options.isEstimate) {
    return {ledger,
            makeDryBackend(std::move(allocator), profileOf(options.backend, options.threads)),
            std::nullopt};
  }
  auto backend = makeBackend(options.backend, std::move(allocator), {.lanes = options.threads});
  return {ledger, std::move(backend), measureResidentMemory()};
}

std::vector<BackendSummary> summariseBackends() {
  std::vector<BackendSummary> summaries;
  for (auto& status : backendStatuses()) {
    const int lanes = status.isAvailable ? profileOf(status.name).lanes : 0;
    summaries.push_back({std::move(status), lanes});
  }
  return summaries;
}

}  // namespace torchette::cli

// Stacking allocators under a backend.
#include "examples/cli/machine.h"

#include "runtime/allocators.h"

namespace torchette::cli {

Machine makeMachine(const MachineOptions& options) {
  auto ledger = std::make_shared<Ledger>();
  std::shared_ptr<Allocator> allocator =
      std::make_shared<DeviceAllocator>(makeDevice(options.backend));
  allocator = std::make_shared<TrackingAllocator>(std::move(allocator), ledger);
  if (options.memoryLimitBytes) {
    allocator = std::make_shared<LimitingAllocator>(std::move(allocator), ledger,
                                                    *options.memoryLimitBytes);
  }
  return {ledger, makeBackend(options.backend, std::move(allocator), {.lanes = options.threads})};
}

std::vector<BackendSummary> summariseBackends() {
  std::vector<BackendSummary> summaries;
  for (auto& status : backendStatuses()) {
    const int lanes =
        status.isAvailable ? makeMachine({.backend = status.name}).backend->lanes() : 0;
    summaries.push_back({std::move(status), lanes});
  }
  return summaries;
}

}  // namespace torchette::cli

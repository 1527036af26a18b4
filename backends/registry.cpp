// The table of backends.
#include "backends/registry.h"

#include <algorithm>

#include "backends/cpu/cpu_backend.h"
#include "backends/simulated/simulated_backend.h"
#include "runtime/errors.h"
#include "runtime/host_device.h"

namespace torchette {

namespace {

struct BackendKind {
  std::string_view name;
  BackendStatus (*status)();
  std::shared_ptr<Device> (*makeDevice)(const DeviceOptions& options);
  std::shared_ptr<Backend> (*makeBackend)(std::shared_ptr<Allocator> allocator,
                                          const BackendOptions& options);
};

constexpr BackendKind cpu{
    "cpu",
    [] {
      return BackendStatus{"cpu", true, "row-oriented loops on OpenMP lanes, products by OpenBLAS"};
    },
    [](const DeviceOptions&) -> std::shared_ptr<Device> { return std::make_shared<HostDevice>(); },
    [](std::shared_ptr<Allocator> allocator,
       const BackendOptions& options) -> std::shared_ptr<Backend> {
      return std::make_shared<CpuBackend>(std::move(allocator), options.lanes);
    }};

constexpr BackendKind cuda{
    "cuda",
    [] {
      const auto status = cudaStatus();
      return BackendStatus{"cuda", status.isAvailable, status.summary};
    },
    [](const DeviceOptions& options) { return makeCudaDevice(options.cuda); },
    [](std::shared_ptr<Allocator> allocator, const BackendOptions& options) {
      return makeCudaBackend(std::move(allocator), {.lanes = options.lanes});
    }};

constexpr BackendKind simulated{
    "simulated",
    [] {
      return BackendStatus{"simulated", true,
                           "the operations and memory rules of a GPU, run by the host"};
    },
    [](const DeviceOptions& options) { return makeSimulatedDevice(options.simulated); },
    [](std::shared_ptr<Allocator> allocator, const BackendOptions& options) {
      return makeSimulatedBackend(std::move(allocator), options.simulated);
    }};

constexpr BackendKind kinds[] = {cpu, cuda, simulated};

const BackendKind& kindNamed(std::string_view name) {
  const auto* found = std::ranges::find(kinds, name, &BackendKind::name);
  if (found != std::end(kinds)) return *found;
  std::string names;
  for (const auto& kind : kinds) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  throw ArgumentError("",
                      "there is no backend '" + std::string(name) + "'; the backends are " + names);
}

}  // namespace

std::vector<BackendStatus> backendStatuses() {
  std::vector<BackendStatus> statuses;
  for (const auto& kind : kinds) statuses.push_back(kind.status());
  return statuses;
}

void requireBackendName(std::string_view backendName) { kindNamed(backendName); }

std::shared_ptr<Device> makeDevice(std::string_view backendName, const DeviceOptions& options) {
  return kindNamed(backendName).makeDevice(options);
}

std::shared_ptr<Backend> makeBackend(std::string_view backendName,
                                     std::shared_ptr<Allocator> allocator,
                                     const BackendOptions& options) {
  return kindNamed(backendName).makeBackend(std::move(allocator), options);
}

}  // namespace torchette

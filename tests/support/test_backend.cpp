// Making the backends that tests run on.
#include "tests/support/test_backend.h"

#include <algorithm>
#include <cstdlib>

#include "backends/cpu/cpu_backend.h"

namespace torchette::testing {

namespace {

/// What TORCHETTE_TEST_BACKEND says; empty if it is not set.
std::string chosenBackend() {
  const char* name = std::getenv("TORCHETTE_TEST_BACKEND");
  return name == nullptr ? "" : name;
}

std::shared_ptr<Backend> backendNamed(const std::string& name, const DeviceOptions& deviceOptions,
                                      const BackendOptions& options) {
  auto device = std::make_shared<DeviceAllocator>(makeDevice(name, deviceOptions));
  return makeBackend(name, std::make_shared<TrackingAllocator>(std::move(device), ledger()),
                     options);
}

}  // namespace

std::shared_ptr<Backend> cpuBackend(int lanes) {
  return std::make_shared<CpuBackend>(hostAllocator(), lanes);
}

std::shared_ptr<Backend> simulatedBackend(const SimulatedOptions& options,
                                          const SimulatedDeviceOptions& deviceOptions) {
  return backendNamed("simulated", {.simulated = deviceOptions}, {.simulated = options});
}

std::vector<NamedBackend> gpuBackends() {
  const auto name = chosenBackend();
  if (name == "cpu") return {};
  if (!name.empty()) return {{name, backendNamed(name, {}, {})}};
  return {{"simulated in order", simulatedBackend()},
          {"simulated shuffled and strict",
           simulatedBackend({.order = PointOrder::shuffled}, {.strict = true})}};
}

std::vector<NamedBackend> backends() {
  auto all = gpuBackends();
  if (const auto name = chosenBackend(); name.empty() || name == "cpu") {
    all.emplace(all.begin(), "cpu", cpuBackend());
  }
  return all;
}

std::string whyBackendIsMissing() {
  const auto name = chosenBackend();
  const auto statuses = backendStatuses();
  const auto found = std::ranges::find(statuses, name, &BackendStatus::name);
  if (name.empty() || (found != statuses.end() && found->isAvailable)) return "";
  return name + ": " + (found == statuses.end() ? "there is no such backend" : found->detail);
}

Tensor tensor(Backend& backend, const Shape& shape, const std::vector<float>& values) {
  return tensor(backend.allocator(), shape, values);
}

Tensor randomTensor(Backend& backend, const Shape& shape, std::uint32_t seed) {
  return tensor(backend, shape, randomValues(shape.elements(), seed));
}

}  // namespace torchette::testing

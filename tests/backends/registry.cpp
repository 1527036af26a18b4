// Backends by name.
#include "backends/registry.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/errors.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_memory.h"

namespace torchette::testing {

TEST_CASE("all backends are listed in a fixed order with one line each") {
  const auto statuses = backendStatuses();
  std::vector<std::string> names;
  for (const auto& status : statuses) {
    names.push_back(status.name);
    CHECK_FALSE(status.detail.empty());
    CHECK(std::ranges::count(status.detail, '\n') == 0);
  }
  CHECK(names == std::vector<std::string>{"cpu", "cuda", "simulated"});
  CHECK(statuses[0].isAvailable);
  CHECK(statuses[2].isAvailable);
}

TEST_CASE("every available backend is made over a device of its name") {
  for (const auto& status : backendStatuses()) {
    if (!status.isAvailable) continue;
    const auto device = makeDevice(status.name);
    CHECK(device->name() == status.name);
    const auto backend = makeBackend(status.name, std::make_shared<DeviceAllocator>(device));
    CHECK(backend->name() == status.name);
    CHECK(&backend->device() == device.get());
  }
}

TEST_CASE("a backend that is not available is refused with the reason that is listed") {
  for (const auto& status : backendStatuses()) {
    if (status.isAvailable) continue;
    checkThrows<StateError>([&] { makeDevice(status.name); }, {status.name, status.detail});
  }
}

TEST_CASE("an unknown backend is refused with the names there are") {
  checkThrows<ArgumentError>([] { makeDevice("opencl"); },
                             {"there is no backend 'opencl'", "cpu, cuda, simulated"});
  checkThrows<ArgumentError>([] { makeBackend("", hostAllocator()); }, {"there is no backend ''"});
}

TEST_CASE("options reach the backend and its device") {
  CHECK(makeBackend("cpu", hostAllocator(), {.lanes = 3})->lanes() == 3);
  const auto device = makeDevice("simulated", {.simulated = {.capacityBytes = 10}});
  CHECK_THROWS_AS(device->allocate(11), std::bad_alloc);
}

}  // namespace torchette::testing

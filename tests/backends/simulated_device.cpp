// The memory of the simulated GPU: apart from the host's, closed when strict, guarded, and limited.
#include "backends/simulated/simulated_device.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <functional>
#include <new>

#include "backends/kernels/scratch.h"
#include "backends/simulated/simulated_backend.h"
#include "runtime/errors.h"
#include "tests/backends/operands.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

/// The signal that ends a process that does this; 0 if none does.
int signalEnding(const std::function<void()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    // Sanitizers and doctest catch signals; the signal itself is wanted.
    for (const int signal : {SIGSEGV, SIGBUS}) std::signal(signal, SIG_DFL);
    action();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/// Memory of a device for as long as it lives.
struct Bytes {
  Bytes(SimulatedDevice& owner, std::int64_t count)
      : device(owner), data(static_cast<volatile char*>(owner.allocate(count))), bytes(count) {}
  ~Bytes() { device.free(const_cast<char*>(data), bytes); }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  SimulatedDevice& device;
  volatile char* data;
  std::int64_t bytes;
};

}  // namespace

TEST_CASE("the host cannot touch strict memory without a copy") {
  SimulatedDevice device({.strict = true});
  const Bytes first(device, 100);
  const Bytes second(device, 100000);
  for (const Bytes* memory : {&first, &second}) {
    CHECK(signalEnding([&] { static_cast<void>(memory->data[0]); }) == SIGSEGV);
    CHECK(signalEnding([&] { memory->data[memory->bytes - 1] = 1; }) == SIGSEGV);
    CHECK(signalEnding([&] {
            const SimulatedDevice::Access access(device);
            memory->data[memory->bytes - 1] = 1;
          }) == 0);
  }
}

TEST_CASE("strict memory is closed again after an operation and after a copy") {
  const auto backend = simulatedBackend({}, {.strict = true});
  const Tensor x = tensor(*backend, {3}, {1, 2, 3});
  backend->scale(3, 2, at(x), at(x));
  CHECK(valuesOf(x) == std::vector<float>{2, 4, 6});
  const volatile float* values = at(x);
  CHECK(signalEnding([&] { static_cast<void>(values[0]); }) == SIGSEGV);
}

TEST_CASE("overlapping accesses keep strict memory open until the last ends") {
  SimulatedDevice device({.strict = true});
  const Bytes memory(device, 100);
  const SimulatedDevice::Access outer(device);
  { const SimulatedDevice::Access inner(device); }
  CHECK(signalEnding([&] { memory.data[0] = 1; }) == 0);
  const Bytes added(device, 100);
  CHECK(signalEnding([&] { added.data[0] = 1; }) == 0);
}

TEST_CASE("fresh strict memory holds NaN also where it was used before") {
  const auto backend = simulatedBackend({}, {.strict = true});
  for (int i = 0; i < 2; ++i) {
    Tensor fresh(backend->allocator());
    fresh.resize({1000});
    for (const float value : valuesOf(fresh)) CHECK(std::isnan(value));
    backend->fill(1000, 1, at(fresh));
  }
}

TEST_CASE("a kernel that leaves its memory is ended") {
  SimulatedDevice device;
  for (const std::int64_t bytes : {64, 4096, 100000}) {
    const Bytes memory(device, bytes);
    CHECK(signalEnding([&] { memory.data[bytes - 1] = 1; }) == 0);
    CHECK(signalEnding([&] { memory.data[bytes + 63] = 1; }) == SIGSEGV);
  }
}

TEST_CASE("simulated memory is aligned to 64 bytes") {
  for (const bool strict : {false, true}) {
    SimulatedDevice device({.strict = strict});
    for (const std::int64_t bytes : {1, 63, 65, 4095, 4097}) {
      const Bytes memory(device, bytes);
      CHECK(reinterpret_cast<std::uintptr_t>(memory.data) % 64 == 0);
    }
  }
}

TEST_CASE("the simulated card has no more bytes than its capacity") {
  SimulatedDevice device({.capacityBytes = 1000});
  const Bytes most(device, 900);
  CHECK_THROWS_AS(device.allocate(101), std::bad_alloc);
  { const Bytes rest(device, 100); }
  const Bytes again(device, 100);
  CHECK_THROWS_AS(device.allocate(1), std::bad_alloc);
}

TEST_CASE("a full card is reported with owner and field") {
  const auto allocator = std::make_shared<DeviceAllocator>(
      makeSimulatedDevice({.capacityBytes = kernels::scratchBytes + 64}));
  const auto backend = makeSimulatedBackend(allocator);
  Tensor large(allocator, "finput");
  checkThrows<MemoryError>([&] { large.resize({17}); },
                           {"finput of size 17 needs 68 bytes", "simulated"});
}

TEST_CASE("a card without room for the scratch is refused") {
  checkThrows<MemoryError>([] { simulatedBackend({}, {.capacityBytes = 1000}); },
                           {"backend/simulated", "scratch needs 262144 bytes"});
}

TEST_CASE("the simulated backend refuses memory of the host") {
  checkThrows<ArgumentError>([] { makeSimulatedBackend(hostAllocator()); },
                             {"simulated backend", "simulated device", "'cpu'"});
}

TEST_CASE("simulated memory is not for the host") {
  const SimulatedDevice device;
  CHECK_FALSE(device.isHostAccessible());
  CHECK(device.name() == "simulated");
}

}  // namespace torchette::testing

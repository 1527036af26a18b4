// The dry backend looks like the one it stands for and computes nothing.
#include "backends/dry/dry_backend.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "backends/dry/dry_device.h"
#include "backends/dry/recording_backend.h"
#include "backends/dry/recording_device.h"
#include "backends/registry.h"
#include "runtime/errors.h"
#include "runtime/host_device.h"
#include "tests/backends/operation_log.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_backend.h"

namespace torchette::testing {

namespace {

std::shared_ptr<Allocator> tracked(std::shared_ptr<Device> device,
                                   const std::shared_ptr<Ledger>& ledger) {
  return std::make_shared<TrackingAllocator>(std::make_shared<DeviceAllocator>(std::move(device)),
                                             ledger);
}

std::shared_ptr<Backend> dryBackend(const BackendProfile& profile,
                                    const std::shared_ptr<Ledger>& ledger,
                                    std::shared_ptr<OperationObserver> observer = nullptr) {
  return makeDryBackend(tracked(std::make_shared<DryDevice>(), ledger), profile,
                        std::move(observer));
}

/// (item, lane) in the order in which they run.
std::vector<std::pair<std::int64_t, int>> courseOf(Backend& backend, std::int64_t count) {
  std::vector<std::pair<std::int64_t, int>> course;
  backend.forEach(count, [&](std::int64_t item, int lane) { course.emplace_back(item, lane); });
  return course;
}

std::vector<int> lanesOfItems(Backend& backend, std::int64_t count) {
  std::vector<int> lanes(static_cast<std::size_t>(count));
  backend.forEach(
      count, [&](std::int64_t item, int lane) { lanes[static_cast<std::size_t>(item)] = lane; });
  return lanes;
}

}  // namespace

TEST_CASE("a dry backend has the name and lanes of its profile") {
  const auto backend = dryBackend({"like cuda", 3, {}}, std::make_shared<Ledger>());
  CHECK(backend->name() == "like cuda");
  CHECK(backend->lanes() == 3);
}

TEST_CASE("a dry backend holds the fixed allocations of its profile while it lives") {
  const auto ledger = std::make_shared<Ledger>();
  {
    const auto backend =
        dryBackend({"cuda", 1, {{"backend/a", "x", 100}, {"backend/b", "y", 50}}}, ledger);
    CHECK(ledger->liveHoldings() ==
          std::vector<Holding>{{"backend/a", "x", 100}, {"backend/b", "y", 50}});
  }
  CHECK(ledger->liveBytes() == 0);
}

TEST_CASE("a profile holds to the byte what its backend holds") {
  for (const char* name : {"cpu", "simulated"}) {
    for (const int lanes : {0, 3}) {
      CAPTURE(name);
      CAPTURE(lanes);
      const auto realLedger = std::make_shared<Ledger>(), dryLedger = std::make_shared<Ledger>();
      const auto real = makeBackend(name, tracked(makeDevice(name), realLedger), {.lanes = lanes});
      const auto dry = dryBackend(profileOf(name, lanes), dryLedger);
      CHECK(dry->name() == real->name());
      CHECK(dry->lanes() == real->lanes());
      CHECK(dryLedger->liveHoldings() == realLedger->liveHoldings());
    }
  }
}

TEST_CASE("the cuda profile holds the workspaces of cuBLAS and the scratch for each stream") {
  const auto profile = profileOf("cuda", 2);
  CHECK(profile.name == "cuda");
  CHECK(profile.lanes == 2);
  std::int64_t bytes = 0;
  for (const auto& allocation : profile.allocations) bytes += allocation.bytes;
  CHECK(bytes == 2 * (4 * 1024 * 1024 + 256 * 1024));
  CHECK(profileOf("cuda").lanes == 4);
}

TEST_CASE("profiles of unknown backends and negative lanes are refused") {
  checkThrows<ArgumentError>([] { profileOf("tpu"); },
                             {"dry backend", "cpu, cuda, simulated", "'tpu'"});
  checkThrows<ArgumentError>([] { profileOf("cpu", -1); }, {"dry backend", "lanes", "-1"});
}

TEST_CASE("a recording backend runs the items of forEach in order on the lanes of the cpu") {
  for (const int lanes : {1, 2, 3, 8}) {
    const auto dry = dryBackend(profileOf("cpu", lanes), std::make_shared<Ledger>());
    const auto cpu = cpuBackend(lanes);
    for (const std::int64_t count : {0, 1, 2, 7, 100}) {
      const auto course = courseOf(*dry, count);
      REQUIRE(static_cast<std::int64_t>(course.size()) == count);
      const auto expected = lanesOfItems(*cpu, count);
      for (std::int64_t item = 0; item < count; ++item) {
        CHECK(course[item] == std::pair{item, expected[item]});
      }
    }
  }
}

TEST_CASE("a nested forEach of a recording backend stays on the lane of its item") {
  const auto backend = dryBackend(profileOf("cpu", 2), std::make_shared<Ledger>());
  backend->forEach(4, [&](std::int64_t, int lane) {
    for (const auto& [item, inner] : courseOf(*backend, 3)) CHECK(inner == lane);
  });
  CHECK(courseOf(*backend, 2).back().second == 1);
}

TEST_CASE("after an exception in forEach a recording backend is usable") {
  const auto backend = dryBackend(profileOf("cpu", 2), std::make_shared<Ledger>());
  CHECK_THROWS_AS(backend->forEach(4, [](std::int64_t, int) { throw std::runtime_error("item"); }),
                  std::runtime_error);
  CHECK(courseOf(*backend, 4) ==
        std::vector<std::pair<std::int64_t, int>>{{0, 0}, {1, 0}, {2, 1}, {3, 1}});
}

TEST_CASE("a dry backend draws nothing and its losses are zero") {
  const auto backend = dryBackend(profileOf("cpu"), std::make_shared<Ledger>());
  Tensor x(backend->allocator());
  x.resize({1000});
  Generator generator(3);
  const auto state = generator.state();
  backend->fillUniform(1000, generator, 0, 1, x.data<float>());
  backend->fillBernoulli(1000, generator, 0.5, 1, x.data<float>());
  CHECK(generator.state() == state);
  const WeightedSum sum = backend->classNll({.samples = 10, .classes = 100}, x.data<float>());
  CHECK(sum.sum == 0);
  CHECK(sum.weight == 0);
  CHECK(backend->pairLoss({.elements = 1000}, x.data<float>(), x.data<float>()) == 0);
}

TEST_CASE("a recording backend over another gives its results and its name and lanes and memory") {
  const auto cpu = cpuBackend(3);
  RecordingBackend backend(cpu, std::make_shared<OperationLog>());
  CHECK(backend.name() == "cpu");
  CHECK(backend.lanes() == 3);
  CHECK(backend.allocator() == cpu->allocator());
  const auto x = tensor(backend, {3}, {1, -2, 3});
  backend.activate({}, 3, x.data<float>(), x.data<float>());
  CHECK(valuesOf(x) == std::vector<float>{1, 0, 3});
}

TEST_CASE("an observer is told of the beginning and the end of each operation by number") {
  const auto log = std::make_shared<OperationLog>();
  const auto allocator = std::make_shared<DeviceAllocator>(
      std::make_shared<RecordingDevice>(std::make_shared<HostDevice>(), log));
  RecordingBackend backend(makeBackend("cpu", allocator), log);
  Tensor x(allocator);
  x.resize({5000});
  x.zero();
  // Random numbers reach memory by copies of the device, which are part of the operation.
  Generator generator(1);
  backend.fillUniform(5000, generator, 0, 1, x.data<float>());
  backend.scale(5000, 2, x.data<float>(), x.data<float>());
  REQUIRE(log->operations.size() == 3);
  CHECK(log->operations[0].name == "zero");
  CHECK(log->operations[1].name == "fillUniform");
  CHECK(log->operations[2].name == "scale");
  CHECK(log->course ==
        std::vector<std::string>{"0 begins", "0 ends", "1 begins", "1 ends", "2 begins", "2 ends"});
}

TEST_CASE("an observer goes on after an operation that throws") {
  const auto log = std::make_shared<OperationLog>();
  RecordingBackend backend(cpuBackend(), log);
  CHECK_THROWS_AS(backend.gemm({.m = 1, .n = 1, .k = 1, .lda = std::int64_t{1} << 40}),
                  ArgumentError);
  backend.fill(0, 0, nullptr);
  CHECK(log->course == std::vector<std::string>{"0 begins", "1 begins", "1 ends"});
}

}  // namespace torchette::testing

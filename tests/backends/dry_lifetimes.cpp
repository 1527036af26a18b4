// From the operations of a run: when each allocation is first and last needed.
#include <doctest/doctest.h>

#include <algorithm>

#include "backends/dry/dry_backend.h"
#include "backends/dry/dry_device.h"
#include "backends/dry/recording_backend.h"
#include "backends/dry/recording_device.h"
#include "backends/dry/storage_lifetimes.h"
#include "backends/registry.h"
#include "runtime/owner_scope.h"
#include "tests/support/test_backend.h"

namespace torchette::testing {

namespace {

/// A dry backend whose operations, copies and allocations one StorageLifetimes watches.
struct WatchedRun {
  WatchedRun() {
    const auto device = std::make_shared<RecordingDevice>(std::make_shared<DryDevice>(), lifetimes);
    const auto allocator =
        std::make_shared<LifetimeAllocator>(std::make_shared<DeviceAllocator>(device), lifetimes);
    backend = makeDryBackend(allocator, profileOf("cpu"), lifetimes);
  }

  Tensor make(const std::string& field, std::int64_t elements) const {
    const OwnerScope scope("net/" + field);
    Tensor tensor(backend->allocator(), field);
    tensor.resize({elements});
    return tensor;
  }
  void scale(const Tensor& x, const Tensor& y) const {
    backend->scale(x.elements(), 2, x.data<float>(), y.data<float>());
  }
  void add(const Tensor& x, const Tensor& y) const {
    backend->addScaled(x.elements(), 2, x.data<float>(), y.data<float>());
  }
  void fill(const Tensor& y) const { backend->fill(y.elements(), 1, y.data<float>()); }

  RecordedStorage of(const std::string& field) const {
    for (const auto& storage : lifetimes->storages()) {
      if (storage.lifetime.field == field) return storage;
    }
    FAIL("no storage of field " << field);
    return {};
  }

  std::shared_ptr<StorageLifetimes> lifetimes = std::make_shared<StorageLifetimes>();
  std::shared_ptr<Backend> backend;
};

void checkLifetime(const RecordedStorage& storage, std::int64_t firstUse, std::int64_t lastUse,
                   std::int64_t operations) {
  CHECK(storage.lifetime.firstUse == firstUse);
  CHECK(storage.lifetime.lastUse == lastUse);
  CHECK(storage.operations == operations);
}

}  // namespace

TEST_CASE("storages of a chain live from their first write to their last use") {
  const WatchedRun run;
  const auto x = run.make("x", 10), a = run.make("a", 10), b = run.make("b", 10);
  const auto unused = run.make("unused", 10);
  run.fill(x);      // 0
  run.scale(x, a);  // 1
  run.scale(a, a);  // 2: in place
  run.scale(a, b);  // 3
  run.add(x, b);    // 4
  checkLifetime(run.of("x"), 0, 4, 3);
  checkLifetime(run.of("a"), 1, 3, 3);
  checkLifetime(run.of("b"), 3, 4, 2);
  const auto lifetimes = run.lifetimes->lifetimes();
  REQUIRE(lifetimes.size() == 3);
  CHECK(lifetimes[1].owner == "net/a");
  CHECK(lifetimes[1].field == "a");
  CHECK(lifetimes[1].bytes == 40);
  CHECK(run.of("a").storage == a.storage()->number());
  CHECK(run.lifetimes->operations() == 5);
}

TEST_CASE("copies of the device are uses too") {
  const WatchedRun run;
  const auto x = run.make("x", 10), y = run.make("y", 10);
  x.zero();       // 0
  y.copyFrom(x);  // 1
  valuesOf(y);    // 2
  checkLifetime(run.of("x"), 0, 1, 2);
  checkLifetime(run.of("y"), 1, 2, 2);
}

TEST_CASE("content from before the recording is needed all along") {
  const WatchedRun run;
  const auto weight = run.make("weight", 10), y = run.make("y", 10);
  run.fill(weight);
  run.lifetimes->start();
  run.fill(y);           // 0
  run.scale(weight, y);  // 1
  run.scale(y, y);       // 2
  checkLifetime(run.of("weight"), 0, 2, 1);
  CHECK(run.of("weight").hasOlderContent);
  checkLifetime(run.of("y"), 0, 2, 3);
  CHECK_FALSE(run.of("y").hasOlderContent);
}

TEST_CASE("a storage that is read where nothing was written has older content") {
  const WatchedRun run;
  const auto x = run.make("x", 10), y = run.make("y", 10);
  run.fill(x.narrow(0, 0, 4));                      // 0
  run.fill(x.narrow(0, 6, 4));                      // 1
  run.scale(x.narrow(0, 6, 4), y.narrow(0, 0, 4));  // 2
  CHECK_FALSE(run.of("x").hasOlderContent);
  run.fill(x.narrow(0, 4, 2));  // 3
  run.scale(x, y);              // 4
  CHECK_FALSE(run.of("x").hasOlderContent);
  run.lifetimes->start();
  run.fill(x.narrow(0, 0, 9));
  run.scale(x, y);
  CHECK(run.of("x").hasOlderContent);
  run.lifetimes->start();
  run.fill(x);
  CHECK_FALSE(run.of("x").hasOlderContent);
}

TEST_CASE("an accumulation reads what it adds to") {
  const WatchedRun run;
  const auto x = run.make("x", 10), sum = run.make("sum", 10);
  run.fill(x);
  run.add(x, sum);
  CHECK(run.of("sum").hasOlderContent);
}

TEST_CASE("a recording starts anew at start") {
  const WatchedRun run;
  const auto x = run.make("x", 10), y = run.make("y", 10);
  run.fill(x);
  run.scale(x, y);
  run.lifetimes->start();
  CHECK(run.lifetimes->storages().empty());
  run.fill(y);
  REQUIRE(run.lifetimes->storages().size() == 1);
  checkLifetime(run.of("y"), 0, 0, 1);
}

TEST_CASE("freed storages stay in the recording and those freed before it do not") {
  const WatchedRun run;
  auto x = run.make("x", 10);
  run.fill(x);
  x.clear();
  run.lifetimes->start();
  auto y = run.make("y", 10);
  run.fill(y);
  y.clear();
  const auto z = run.make("z", 10);
  run.fill(z);
  const auto lifetimes = run.lifetimes->lifetimes();
  REQUIRE(lifetimes.size() == 2);
  CHECK(lifetimes[0].field == "y");
  CHECK(lifetimes[1].field == "z");
}

TEST_CASE("a storage that grew is two allocations of one number") {
  const WatchedRun run;
  auto x = run.make("x", 10);
  run.fill(x);      // 0
  x.resize({20});   // 1: the content moves
  run.scale(x, x);  // 2
  const auto storages = run.lifetimes->storages();
  REQUIRE(storages.size() == 2);
  CHECK(storages[0].storage == storages[1].storage);
  checkLifetime(storages[0], 0, 1, 2);
  CHECK(storages[0].lifetime.bytes == 40);
  CHECK(storages[1].lifetime.bytes == 80);
}

TEST_CASE("the lifetimes of a run on the cpu are those of the dry run") {
  const auto lifetimes = std::make_shared<StorageLifetimes>();
  const auto allocator = std::make_shared<LifetimeAllocator>(hostAllocator(), lifetimes);
  RecordingBackend backend(makeBackend("cpu", allocator), lifetimes);
  Tensor x(allocator, "x"), y(allocator, "y");
  for (auto* tensor : {&x, &y}) tensor->resize({10});
  backend.fill(10, 1, x.data<float>());
  backend.scale(10, 2, x.data<float>(), y.data<float>());
  const auto found = lifetimes->lifetimes();
  REQUIRE(found.size() == 2);
  CHECK(found[0].lastUse == 1);
  CHECK(found[1].firstUse == 1);
}

TEST_CASE("memory that is not a live allocation is ignored") {
  const WatchedRun run;
  std::vector<float> outside(10);
  auto x = run.make("x", 16), y = run.make("y", 16);
  auto* before = x.data<float>();
  run.backend->fill(10, 0, outside.data());
  run.backend->fill(10, 0, before - 10);
  run.backend->fill(10, 0, before + 16);
  CHECK(run.lifetimes->storages().empty());
  x.clear();
  run.backend->fill(10, 0, before);
  run.lifetimes->start();
  run.backend->fill(10, 0, before);
  CHECK(run.lifetimes->operations() == 1);
  run.fill(y);
  REQUIRE(run.lifetimes->storages().size() == 1);
  CHECK(run.lifetimes->storages()[0].lifetime.field == "y");
}

TEST_CASE("an address that is used again belongs to the allocation that has it now") {
  StorageLifetimes lifetimes;
  const std::vector<char> memory(100);
  lifetimes.onAllocation(memory.data(), 100, {"net", "old"});
  lifetimes.onFree(memory.data());
  lifetimes.onAllocation(memory.data() + 50, 50, {"net", "new"});
  for (const int offset : {0, 49, 50, 99}) {
    lifetimes.watch({"fill", {}, {{memory.data() + offset, 1}}}, [] {});
  }
  const auto storages = lifetimes.storages();
  REQUIRE(storages.size() == 1);
  CHECK(storages[0].lifetime.field == "new");
  checkLifetime(storages[0], 2, 3, 2);
}

}  // namespace torchette::testing

// Storage: growth without loss, no shrinking, attribution, failure.
#include "runtime/storage.h"

#include <doctest/doctest.h>

#include "runtime/allocators.h"
#include "runtime/errors.h"
#include "runtime/owner_scope.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_memory.h"

namespace torchette {

using testing::checkThrows;
using testing::hostAllocator;
using testing::ledger;

namespace {

float* floatsOf(const Storage& storage) { return static_cast<float*>(storage.data()); }

}  // namespace

TEST_CASE("a new storage holds nothing") {
  const Storage storage(hostAllocator(), DType::float32, "output");
  CHECK(storage.elements() == 0);
  CHECK(storage.data() == nullptr);
  CHECK(storage.field() == "output");
  CHECK(ledger()->peakBytes() == 0);
}

TEST_CASE("a storage grows to exactly the elements asked for") {
  Storage floats(hostAllocator(), DType::float32, "output");
  floats.grow(10, {10});
  CHECK(floats.elements() == 10);
  CHECK(floats.bytes() == 40);
  Storage indices(hostAllocator(), DType::int64, "indices");
  indices.grow(10, {10});
  CHECK(indices.elements() == 10);
  CHECK(indices.bytes() == 80);
  CHECK(ledger()->liveBytes() == 120);
}

TEST_CASE("a storage never shrinks") {
  Storage storage(hostAllocator(), DType::float32, "output");
  storage.grow(64, {64});
  const void* data = storage.data();
  storage.grow(17, {17});
  CHECK(storage.elements() == 64);
  CHECK(storage.data() == data);
}

TEST_CASE("alternating between 64 and 17 elements allocates once") {
  const auto recorded = std::make_shared<Ledger>();
  recorded->startRecordingEvents();
  const auto allocator = std::make_shared<TrackingAllocator>(hostAllocator(), recorded);
  Storage storage(allocator, DType::float32, "output");
  for (int i = 0; i < 5; ++i) {
    storage.grow(64, {64});
    storage.grow(17, {17});
  }
  CHECK(recorded->events().size() == 1);
  CHECK(recorded->liveBytes() == 256);
}

TEST_CASE("growth keeps the content") {
  Storage storage(hostAllocator(), DType::float32, "output");
  storage.grow(3, {3});
  for (int i = 0; i < 3; ++i) floatsOf(storage)[i] = static_cast<float>(i + 1);
  storage.grow(5000, {5000});
  for (int i = 0; i < 3; ++i) CHECK(floatsOf(storage)[i] == static_cast<float>(i + 1));
}

TEST_CASE("growth frees the old bytes and holds both only while it copies") {
  Storage storage(hostAllocator(), DType::float32, "output");
  storage.grow(10, {10});
  storage.grow(25, {25});
  CHECK(ledger()->liveBytes() == 100);
  CHECK(ledger()->peakBytes() == 140);
}

TEST_CASE("a failed growth leaves the storage unchanged") {
  const auto allocator = std::make_shared<FailingAllocator>(hostAllocator());
  Storage storage(allocator, DType::float32, "finput");
  storage.grow(2, {2});
  floatsOf(storage)[0] = 4;
  floatsOf(storage)[1] = 5;
  const void* data = storage.data();
  allocator->failAt(1);
  checkThrows<MemoryError>([&] { storage.grow(100, {4, 25}); }, {"finput", "4x25", "400 bytes"});
  CHECK(storage.data() == data);
  CHECK(storage.elements() == 2);
  CHECK(floatsOf(storage)[0] == 4);
  CHECK(floatsOf(storage)[1] == 5);
  CHECK(ledger()->liveBytes() == 8);
}

TEST_CASE("a growth that failed succeeds when it is tried again") {
  const auto allocator = std::make_shared<FailingAllocator>(hostAllocator());
  Storage storage(allocator, DType::float32, "finput");
  allocator->failAt(1);
  CHECK_THROWS_AS(storage.grow(100, {100}), MemoryError);
  storage.grow(100, {100});
  CHECK(storage.elements() == 100);
}

TEST_CASE("release frees everything and the storage can grow again") {
  Storage storage(hostAllocator(), DType::float32, "output");
  storage.grow(10, {10});
  storage.release();
  CHECK(storage.elements() == 0);
  CHECK(ledger()->liveBytes() == 0);
  storage.grow(3, {3});
  CHECK(ledger()->liveBytes() == 12);
}

TEST_CASE("bytes belong to the owner at the moment of allocation") {
  const OwnerScope madeIn("net/made");
  Storage storage(hostAllocator(), DType::float32, "output");
  {
    const OwnerScope grownIn("net/grown");
    storage.grow(10, {10});
  }
  CHECK(ledger()->liveHoldings() == std::vector<Holding>{{"net/grown", "output", 40}});
}

TEST_CASE("a free is credited to the owner that allocated") {
  Storage first(hostAllocator(), DType::float32, "output");
  Storage second(hostAllocator(), DType::float32, "output");
  {
    const OwnerScope scope("net/conv1");
    first.grow(10, {10});
  }
  const OwnerScope scope("net/conv2");
  second.grow(5, {5});
  first.release();
  CHECK(ledger()->liveHoldings() == std::vector<Holding>{{"net/conv2", "output", 20}});
}

TEST_CASE("a storage that grows under another owner moves to that owner") {
  Storage storage(hostAllocator(), DType::float32, "finput");
  {
    const OwnerScope scope("net/conv1");
    storage.grow(10, {10});
  }
  const OwnerScope scope("net/conv2");
  storage.grow(20, {20});
  CHECK(ledger()->liveHoldings() == std::vector<Holding>{{"net/conv2", "finput", 80}});
}

TEST_CASE("nested scopes attribute to the innermost one") {
  const OwnerScope outer("net");
  Storage before(hostAllocator(), DType::float32, "output");
  before.grow(1, {1});
  Storage within(hostAllocator(), DType::float32, "output");
  {
    const OwnerScope inner("net/conv1");
    within.grow(2, {2});
  }
  Storage after(hostAllocator(), DType::float32, "gradInput");
  after.grow(3, {3});
  CHECK(ledger()->liveHoldings() == std::vector<Holding>{{"net", "gradInput", 12},
                                                         {"net/conv1", "output", 8},
                                                         {"net", "output", 4}});
}

TEST_CASE("a growth beyond 2^63 bytes is refused before anything is allocated") {
  const OwnerScope scope("net/conv1");
  Storage storage(hostAllocator(), DType::float32, "finput");
  checkThrows<ShapeError>(
      [&] {
        storage.grow(1LL << 62, {1LL << 31, 1LL << 31});
      },
      {"net/conv1", "finput", "2147483648x2147483648", "2^63 bytes"});
  CHECK(storage.elements() == 0);
}

TEST_CASE("no two storages have one number") {
  const Storage first(hostAllocator(), DType::float32, "output");
  const Storage second(hostAllocator(), DType::float32, "output");
  CHECK(first.number() != second.number());
  CHECK(first.number() != 0);
}

}  // namespace torchette

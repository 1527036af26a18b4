// The allocator stack: device, tracking, limiting, failing.
#include "runtime/allocators.h"

#include <doctest/doctest.h>

#include "runtime/errors.h"
#include "runtime/owner_scope.h"
#include "runtime/tensor.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_memory.h"

namespace torchette {

using testing::checkThrows;
using testing::hostAllocator;
using testing::ledger;

namespace {

std::shared_ptr<Allocator> limitedTo(std::int64_t bytes) {
  return std::make_shared<LimitingAllocator>(hostAllocator(), ledger(), bytes);
}

/// Grows a new tensor of `field` to `elements` floats on behalf of `owner`.
Tensor held(const std::shared_ptr<Allocator>& allocator, const std::string& owner,
            const std::string& field, std::int64_t elements) {
  const OwnerScope scope(owner);
  Tensor tensor(allocator, field);
  tensor.resize({elements});
  return tensor;
}

}  // namespace

TEST_CASE("every decorator reaches the device at the bottom") {
  const auto failing = std::make_shared<FailingAllocator>(limitedTo(1000));
  CHECK(&failing->device() == &hostAllocator()->device());
}

TEST_CASE("the tracking allocator records bytes with owner and field") {
  void* data = hostAllocator()->allocate(100, {"net/conv1", "weight"});
  CHECK(ledger()->liveHoldings() == std::vector<Holding>{{"net/conv1", "weight", 100}});
  hostAllocator()->deallocate(data, 100);
  CHECK(ledger()->liveBytes() == 0);
}

TEST_CASE("an allocation that fails below the tracking allocator is not recorded") {
  const auto failing = std::make_shared<FailingAllocator>(hostAllocator());
  const auto own = std::make_shared<Ledger>();
  TrackingAllocator tracking(failing, own);
  failing->failAt(1);
  CHECK_THROWS_AS(tracking.allocate(100, {"net", "output"}), MemoryError);
  CHECK(own->peakBytes() == 0);
  CHECK(ledger()->peakBytes() == 0);
}

TEST_CASE("an allocation that meets the limit exactly passes") {
  const auto allocator = limitedTo(100);
  const Tensor first = held(allocator, "net", "output", 15);
  const Tensor second = held(allocator, "net", "gradInput", 10);
  CHECK(ledger()->liveBytes() == 100);
}

TEST_CASE("an allocation one byte past the limit is refused and takes nothing") {
  const auto allocator = limitedTo(100);
  const Tensor first = held(allocator, "net", "output", 15);
  CHECK_THROWS_AS(allocator->allocate(41, {"net", "gradInput"}), MemoryError);
  CHECK(ledger()->liveBytes() == 60);
  CHECK(ledger()->peakBytes() == 60);
}

TEST_CASE("freed bytes count for the limit again") {
  const auto allocator = limitedTo(100);
  { const Tensor first = held(allocator, "net", "output", 25); }
  CHECK_NOTHROW(held(allocator, "net", "output", 25));
}

TEST_CASE("a limit of 0 refuses the first byte") {
  CHECK_THROWS_AS(limitedTo(0)->allocate(1, {"net", "output"}), MemoryError);
}

TEST_CASE("the limit message names request and state and the three largest holders and a way out") {
  const auto allocator = limitedTo(1000);
  const Tensor smallest = held(allocator, "net/a", "bias", 10);
  const Tensor largest = held(allocator, "net/b", "finput", 100);
  const Tensor second = held(allocator, "net/c", "output", 50);
  const Tensor third = held(allocator, "net/d", "weight", 20);
  const OwnerScope scope("net/conv1");
  Tensor refused(allocator, "fgradInput");
  checkThrows<MemoryError>(
      [&] {
        refused.resize({16, 48, 256});
      },
      {"net/conv1: ", "fgradInput", "16x48x256", "786432 bytes", "720 are live",
       "the limit is 1000", "largest holders: net/b finput 400, net/c output 200, net/d weight 80;",
       "smaller batch", "workspace strategy sample", "raise the limit"});
}

TEST_CASE("the limit message does without holders when nothing is live") {
  checkThrows<MemoryError>(
      [] {
        limitedTo(10)->allocate(11, {"net", "output"});
      },
      {"net: output needs 11 bytes", "0 are live", "holders: nothing"});
}

TEST_CASE("the limit message names a holder without owner by its field") {
  const auto allocator = limitedTo(100);
  const Tensor input = held(allocator, "", "input", 25);
  checkThrows<MemoryError>(
      [&] {
        allocator->allocate(1, {"net", "output"});
      },
      {"largest holders: input 100;"});
}

TEST_CASE("a device without bytes gives a memory error with the request") {
  class EmptyDevice final : public Device {
    std::string_view name() const override { return "full"; }
    bool isHostAccessible() const override { return false; }
    void* allocate(std::int64_t /*bytes*/) override { throw std::bad_alloc(); }
    void free(void* /*data*/, std::int64_t /*bytes*/) noexcept override {}
    void zero(void* /*destination*/, std::int64_t /*bytes*/) override {}
    void copy(void* /*to*/, const void* /*from*/, std::int64_t /*bytes*/) override {}
    void copyStrided(const StridedCopy& /*copy*/) override {}
    void copyFromHost(void* /*to*/, const void* /*from*/, std::int64_t /*bytes*/) override {}
    void copyToHost(void* /*to*/, const void* /*from*/, std::int64_t /*bytes*/) override {}
    void synchronize() override {}
  };
  const auto allocator = std::make_shared<DeviceAllocator>(std::make_shared<EmptyDevice>());
  checkThrows<MemoryError>(
      [&] {
        allocator->allocate(80, {"net/conv1", "finput", {4, 5}});
      },
      {"net/conv1: ", "finput of size 4x5", "80 bytes", "device full", "smaller batch"});
}

TEST_CASE("the failing allocator fails the nth allocation and only that") {
  FailingAllocator allocator(hostAllocator());
  for (int nth = 1; nth <= 3; ++nth) {
    CAPTURE(nth);
    allocator.failAt(nth);
    for (int i = 1; i <= 4; ++i) {
      CAPTURE(i);
      CHECK(allocator.hasFailed() == (i > nth));
      if (i == nth) {
        CHECK_THROWS_AS(allocator.allocate(8, {"net", "output"}), MemoryError);
      } else {
        void* data = allocator.allocate(8, {"net", "output"});
        allocator.deallocate(data, 8);
      }
    }
  }
}

TEST_CASE("the failing allocator fails nothing before it is told to") {
  FailingAllocator allocator(hostAllocator());
  void* data = allocator.allocate(8, {"net", "output"});
  allocator.deallocate(data, 8);
  CHECK_FALSE(allocator.hasFailed());
}

TEST_CASE("the message of an injected failure names the request") {
  FailingAllocator allocator(hostAllocator());
  allocator.failAt(1);
  checkThrows<MemoryError>(
      [&] {
        allocator.allocate(24, {"net/conv1", "weight", {2, 3}});
      },
      {"net/conv1: weight of size 2x3 needs 24 bytes", "made to fail"});
}

}  // namespace torchette

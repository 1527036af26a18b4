// Tensors of more than 2^31 elements and bytes, on a device that hands out addresses without
// memory.
#include <doctest/doctest.h>

#include "runtime/allocators.h"
#include "runtime/errors.h"
#include "runtime/tensor.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_memory.h"
#include "tests/support/test_tensors.h"

namespace torchette {

using testing::checkThrows;
using testing::hostAllocator;
using testing::ledger;
using testing::tensor;

namespace {

/// Addresses only: nothing may be read or written there. Remembers the last copy.
class AddressDevice final : public Device {
 public:
  std::int64_t copiedBytes = 0;

  std::string_view name() const override { return "address"; }
  bool isHostAccessible() const override { return false; }
  void* allocate(std::int64_t bytes) override {
    const auto address = next_;
    next_ += (bytes + 63) / 64 * 64;
    return reinterpret_cast<void*>(address);
  }
  void free(void* /*data*/, std::int64_t /*bytes*/) noexcept override {}
  void zero(void* /*destination*/, std::int64_t /*bytes*/) override {}
  void copy(void* /*to*/, const void* /*from*/, std::int64_t bytes) override {
    copiedBytes = bytes;
  }
  void copyStrided(const StridedCopy& /*copy*/) override {}
  void copyFromHost(void* /*to*/, const void* /*from*/, std::int64_t /*bytes*/) override {}
  void copyToHost(void* /*to*/, const void* /*from*/, std::int64_t /*bytes*/) override {}
  void synchronize() override {}

 private:
  std::intptr_t next_ = 64;
};

std::shared_ptr<Allocator> addressAllocator(const std::shared_ptr<AddressDevice>& device) {
  return std::make_shared<TrackingAllocator>(std::make_shared<DeviceAllocator>(device), ledger());
}

}  // namespace

TEST_CASE("counts and bytes of an expanded tensor go beyond 32 bits") {
  const Tensor x = tensor(hostAllocator(), {1, 1}, {7}).expand({70000, 70000});
  CHECK(x.elements() == 4900000000);
  CHECK(x.bytes() == 19600000000);
  CHECK(x.narrow(0, 69999, 1).elements() == 70000);
  CHECK(testing::valuesOf(x.select(0, 69999).narrow(0, 69998, 2)) == std::vector<float>{7, 7});
}

TEST_CASE("a tensor of more than 2^32 elements has exact offsets and strides and bytes") {
  const auto device = std::make_shared<AddressDevice>();
  Tensor x(addressAllocator(device), "output");
  x.resize({3, 70000, 70000});
  CHECK(x.bytes() == 58800000000);
  CHECK(ledger()->liveBytes() == 58800000000);
  CHECK(x.strides() == std::vector<std::int64_t>{4900000000, 70000, 1});
  const Tensor last = x.select(0, 2).select(0, 69999);
  CHECK(last.offset() == 14699930000);
  CHECK(last.data<float>() - x.data<float>() == 14699930000);
  CHECK(x.view({14700000000}).size(0) == 14700000000);
  CHECK(x.narrow(0, 1, 2).offset() == 4900000000);
  CHECK(x.transpose(0, 2).strides() == std::vector<std::int64_t>{1, 70000, 4900000000});
}

TEST_CASE("growing beyond 2^32 bytes copies all of the old content") {
  const auto device = std::make_shared<AddressDevice>();
  Tensor x(addressAllocator(device), "output");
  x.resize({1500000000});
  x.resize({1600000000});
  CHECK(device->copiedBytes == 6000000000);
  CHECK(ledger()->peakBytes() == 12400000000);
}

TEST_CASE("copying and cloning more than 2^32 bytes passes the full count") {
  const auto device = std::make_shared<AddressDevice>();
  Tensor x(addressAllocator(device), "output");
  x.resize({2000000000});
  const Tensor y = x.clone();
  CHECK(device->copiedBytes == 8000000000);
  CHECK(y.bytes() == 8000000000);
}

TEST_CASE("set reaches elements beyond 2^32 and stops at the end of the storage") {
  const auto device = std::make_shared<AddressDevice>();
  Tensor x(addressAllocator(device), "output");
  x.resize({5000000000});
  Tensor y;
  CHECK_NOTHROW(y.set(x.storage(), 999999999, {2, 2}, {4000000000, 0}));
  checkThrows<ShapeError>(
      [&] {
        y.set(x.storage(), 1000000000, {2, 2}, {4000000000, 0});
      },
      {"leaves its storage of 5000000000 elements"});
}

TEST_CASE("a resize beyond 2^63 elements or bytes is refused and changes nothing") {
  Tensor x = tensor(hostAllocator(), {2}, {1, 2});
  checkThrows<ShapeError>([&] { x.resize({1LL << 32, 1LL << 31}); }, {"2^63 elements"});
  checkThrows<ShapeError>([&] { x.resize({1LL << 31, 1LL << 30}); }, {"2^63 bytes"});
  Tensor second = x.narrow(0, 1, 1);
  checkThrows<ShapeError>([&] { second.resize({INT64_MAX}); },
                          {"9223372036854775807", "element 1", "2^63 elements"});
  CHECK(x.shape() == Shape{2});
  CHECK(second.shape() == Shape{1});
  CHECK(testing::valuesOf(x) == std::vector<float>{1, 2});
}

}  // namespace torchette

// DryDevice hands out addresses without memory; RecordingDevice tells of copies.
#include "backends/dry/dry_device.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "backends/cpu/cpu_backend.h"
#include "backends/dry/recording_device.h"
#include "runtime/allocators.h"
#include "runtime/errors.h"
#include "runtime/host_device.h"
#include "tests/backends/operation_log.h"
#include "tests/support/check_throws.h"
#include "tests/support/resident_memory.h"
#include "tests/support/test_tensors.h"

namespace torchette::testing {

namespace {

constexpr std::int64_t terabyte = std::int64_t{1} << 40;

std::uintptr_t numberOf(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

std::shared_ptr<Allocator> dryAllocator() {
  return std::make_shared<DeviceAllocator>(std::make_shared<DryDevice>());
}

/// An allocator of host memory whose copies are logged.
std::shared_ptr<Allocator> loggedAllocator(const std::shared_ptr<OperationLog>& log) {
  return std::make_shared<DeviceAllocator>(
      std::make_shared<RecordingDevice>(std::make_shared<HostDevice>(), log));
}

void checkLogged(const OperationLog& log, const std::vector<Operation>& expected) {
  REQUIRE(log.operations.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(textOf(log.operations[i]) == textOf(expected[i]));
  }
}

}  // namespace

TEST_CASE("dry addresses are aligned and apart and never handed out twice") {
  DryDevice device;
  std::uintptr_t end = 0;
  for (const std::int64_t bytes : {1, 64, 100, 4096, 5, 5}) {
    void* data = device.allocate(bytes);
    CHECK(numberOf(data) % 64 == 0);
    CHECK(numberOf(data) > end);
    end = numberOf(data) + static_cast<std::uintptr_t>(bytes);
    device.free(data, bytes);
  }
}

TEST_CASE("a dry device holds more than any machine and commits nothing") {
  const auto allocator = dryAllocator();
  const auto before = residentBytes();
  std::vector<Tensor> tensors;
  for (int i = 0; i < 16; ++i) {
    auto& tensor = tensors.emplace_back(allocator);
    tensor.resize({1024, 1024, 1024, 256});
    tensor.zero();
    if (i > 0) tensor.copyFrom(tensors[0]);
    tensor.transpose(0, 1).copyFrom(tensor);
    CHECK(tensor.bytes() == terabyte);
  }
  CHECK(residentBytes() - before < std::int64_t{1} << 20);
}

TEST_CASE("a dry device refuses what is beyond its addresses") {
  const auto allocator = dryAllocator();
  checkThrows<MemoryError>(
      [&] {
        allocator->allocate(std::int64_t{1} << 62, {"net/fc", "weight"});
      },
      {"net/fc", "weight", "dry"});
  DryDevice device;
  device.allocate((std::int64_t{1} << 61) + 1);
  CHECK_THROWS_AS(device.allocate(std::int64_t{1} << 61), std::bad_alloc);
}

TEST_CASE("the dry allocation that an address lies in is found while it lives") {
  DryDevice device;
  auto* first = static_cast<char*>(device.allocate(100));
  auto* second = static_cast<char*>(device.allocate(terabyte));
  CHECK_FALSE(device.allocationAt(first - 1));
  for (const char* address : {first, first + 99}) {
    REQUIRE(device.allocationAt(address));
    CHECK(device.allocationAt(address)->address == first);
    CHECK(device.allocationAt(address)->bytes == 100);
  }
  CHECK_FALSE(device.allocationAt(first + 100));
  REQUIRE(device.allocationAt(second + terabyte - 1));
  CHECK(device.allocationAt(second + terabyte - 1)->bytes == terabyte);
  CHECK_FALSE(device.allocationAt(second + terabyte));
  device.free(first, 100);
  CHECK_FALSE(device.allocationAt(first));
  CHECK(device.allocationAt(second));
}

TEST_CASE("dry memory reads as zeros on the host") {
  const auto copied = tensor(dryAllocator(), {2}, {1, 2});
  std::vector<float> values{3, 4, 5};
  copied.device().copyToHost(values.data(), copied.data<float>(), copied.bytes());
  CHECK(values == std::vector<float>{0, 0, 5});
  copied.device().copyToHost(nullptr, nullptr, 0);
}

TEST_CASE("dry memory is not the memory of the host") {
  CHECK_FALSE(DryDevice().isHostAccessible());
  checkThrows<ArgumentError>([] { CpuBackend(dryAllocator(), 1); }, {"cpu backend", "dry"});
}

TEST_CASE("a recording device tells what copies read and write") {
  const auto log = std::make_shared<OperationLog>();
  const auto allocator = loggedAllocator(log);
  const auto x = tensor(allocator, {2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor y(allocator);
  y.resize({2, 3});
  y.copyFrom(x);
  y.zero();
  CHECK(valuesOf(x) == std::vector<float>{1, 2, 3, 4, 5, 6});
  const Access all{x.data<float>(), 24}, result{y.data<float>(), 24};
  checkLogged(*log, {{"copyFromHost", {}, {all}},
                     {"copy", {all}, {result}},
                     {"zero", {}, {result}},
                     {"copyToHost", {all}, {}}});
}

TEST_CASE("a strided copy covers the first element to the last") {
  const auto log = std::make_shared<OperationLog>();
  const auto allocator = loggedAllocator(log);
  const auto x = tensor(allocator, {4, 5}, randomValues(20, 1));
  const auto y = tensor(allocator, {3, 2}, randomValues(6, 2));
  log->operations.clear();
  // Columns 1 and 2 of rows 0 to 2, transposed.
  y.transpose(0, 1).copyFrom(x.narrow(0, 0, 3).narrow(1, 1, 2).transpose(0, 1));
  checkLogged(*log, {{"copyStrided", {{x.data<float>() + 1, 48}}, {{y.data<float>(), 24}}}});
}

TEST_CASE("copies of nothing are not operations") {
  const auto log = std::make_shared<OperationLog>();
  Tensor x(loggedAllocator(log));
  x.resize({3});  // a new storage copies the nothing that it held
  x.device().zero(x.data<float>(), 0);
  x.device().copyStrided({x.data<float>(), x.data<float>(), {2, 0}, {1, 1}, {1, 1}, 4});
  CHECK(log->operations.empty());
}

}  // namespace torchette::testing

// HostDevice: alignment, copies, and memory resources that a user brings.
#include "runtime/host_device.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <new>
#include <numeric>

#include "runtime/allocators.h"
#include "runtime/errors.h"
#include "runtime/tensor.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_memory.h"

namespace torchette {

namespace {

/// Counts what passes through it.
class CountingResource final : public std::pmr::memory_resource {
 public:
  int allocations = 0;
  int deallocations = 0;
  std::size_t liveBytes = 0;
  std::size_t lastAlignment = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* data = std::pmr::new_delete_resource()->allocate(bytes, alignment);
    ++allocations;
    liveBytes += bytes;
    lastAlignment = alignment;
    return data;
  }
  void do_deallocate(void* data, std::size_t bytes, std::size_t alignment) override {
    ++deallocations;
    liveBytes -= bytes;
    std::pmr::new_delete_resource()->deallocate(data, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

bool isAligned(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % 64 == 0; }

}  // namespace

TEST_CASE("the host device is the cpu and its bytes can be read") {
  const HostDevice device;
  CHECK(device.name() == "cpu");
  CHECK(device.isHostAccessible());
}

TEST_CASE("host memory of any size is aligned to 64 bytes") {
  HostDevice device;
  for (const std::int64_t bytes : {1, 4, 63, 64, 65, 1000, 4097}) {
    CAPTURE(bytes);
    void* first = device.allocate(bytes);
    void* second = device.allocate(bytes);
    CHECK(isAligned(first));
    CHECK(isAligned(second));
    device.free(second, bytes);
    device.free(first, bytes);
  }
}

TEST_CASE("a memory resource of the user gets every call with size and alignment") {
  CountingResource resource;
  HostDevice device(resource);
  void* data = device.allocate(1000);
  CHECK(resource.allocations == 1);
  CHECK(resource.liveBytes == 1000);
  CHECK(resource.lastAlignment == 64);
  device.free(data, 1000);
  CHECK(resource.deallocations == 1);
  CHECK(resource.liveBytes == 0);
}

TEST_CASE("a tensor draws from the memory resource that its device was given") {
  CountingResource resource;
  const auto allocator = std::make_shared<DeviceAllocator>(std::make_shared<HostDevice>(resource));
  {
    Tensor tensor(allocator);
    CHECK(resource.allocations == 0);
    tensor.resize({4, 5});
    CHECK(resource.liveBytes == 80);
    tensor.resize({3});
    CHECK(resource.allocations == 1);
    tensor.resize({6, 5});
    CHECK(resource.allocations == 2);
    CHECK(resource.liveBytes == 120);
  }
  CHECK(resource.deallocations == 2);
  CHECK(resource.liveBytes == 0);
}

TEST_CASE("tensors live inside an arena of the user and its end is a memory error") {
  alignas(64) std::array<std::byte, 1024> arena{};
  std::pmr::monotonic_buffer_resource resource(arena.data(), arena.size(),
                                               std::pmr::null_memory_resource());
  const auto allocator = std::make_shared<DeviceAllocator>(std::make_shared<HostDevice>(resource));
  Tensor tensor(allocator, "output");
  tensor.resize({100});
  const auto* first = reinterpret_cast<const std::byte*>(tensor.data<float>());
  CHECK(first >= arena.data());
  CHECK(first + 400 <= arena.data() + arena.size());
  testing::checkThrows<MemoryError>(
      [&] {
        tensor.resize({10, 30});
      },
      {"output", "10x30", "1200 bytes", "device cpu"});
  CHECK(tensor.shape() == Shape{100});
}

TEST_CASE("zeroing and copying touch exactly the bytes asked for") {
  HostDevice device;
  std::array<char, 8> source{1, 2, 3, 4, 5, 6, 7, 8};
  std::array<char, 8> target{};
  device.copy(target.data() + 1, source.data(), 3);
  CHECK(target == std::array<char, 8>{0, 1, 2, 3, 0, 0, 0, 0});
  device.copyFromHost(target.data() + 4, source.data() + 6, 2);
  CHECK(target == std::array<char, 8>{0, 1, 2, 3, 7, 8, 0, 0});
  device.copyToHost(target.data(), source.data() + 4, 1);
  CHECK(target == std::array<char, 8>{5, 1, 2, 3, 7, 8, 0, 0});
  device.zero(target.data() + 1, 4);
  CHECK(target == std::array<char, 8>{5, 0, 0, 0, 0, 8, 0, 0});
}

TEST_CASE("copying no bytes needs no memory") {
  HostDevice device;
  device.copy(nullptr, nullptr, 0);
  device.zero(nullptr, 0);
  CHECK_NOTHROW(device.synchronize());
}

TEST_CASE("a strided copy follows both strides") {
  HostDevice device;
  std::array<float, 12> source{};
  std::iota(source.begin(), source.end(), 0.0F);
  std::array<float, 6> target{};
  // The 3x2 block in columns 1 and 2 of a 3x4 matrix, transposed into a 2x3 matrix.
  device.copyStrided({.destination = target.data(),
                      .source = source.data() + 1,
                      .extents = {3, 2},
                      .destinationStrides = {1, 3},
                      .sourceStrides = {4, 1},
                      .bytesPerElement = 4});
  CHECK(target == std::array<float, 6>{1, 5, 9, 2, 6, 10});
}

TEST_CASE("a strided copy repeats a source whose stride is 0") {
  HostDevice device;
  const std::array<std::int64_t, 2> source{7, 8};
  std::array<std::int64_t, 6> target{};
  device.copyStrided({.destination = target.data(),
                      .source = source.data(),
                      .extents = {3, 2},
                      .destinationStrides = {2, 1},
                      .sourceStrides = {0, 1},
                      .bytesPerElement = 8});
  CHECK(target == std::array<std::int64_t, 6>{7, 8, 7, 8, 7, 8});
}

TEST_CASE("a strided copy leaves the gaps of its target alone") {
  HostDevice device;
  const std::array<float, 2> source{1, 2};
  std::array<float, 4> target{9, 9, 9, 9};
  device.copyStrided({.destination = target.data(),
                      .source = source.data(),
                      .extents = {2},
                      .destinationStrides = {2},
                      .sourceStrides = {1},
                      .bytesPerElement = 4});
  CHECK(target == std::array<float, 4>{1, 9, 2, 9});
}

}  // namespace torchette

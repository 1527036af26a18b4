// The memory of a GPU, simulated or real: copies in all directions, and allocations that do not
// fit.
#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>

#include "runtime/buffer.h"
#include "runtime/errors.h"
#include "tests/backends/operands.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

/// 0, 1, 2, ...
std::vector<float> counted(std::int64_t elements) {
  std::vector<float> values(elements);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

Tensor countedTensor(Backend& backend, const Shape& shape) {
  return tensor(backend, shape, counted(shape.elements()));
}

}  // namespace

TEST_CASE("bytes come back from a GPU as they went there") {
  FOR_EACH_GPU_BACKEND(backend) {
    auto& device = backend->device();
    CHECK_FALSE(device.isHostAccessible());
    for (const std::int64_t bytes : {1, 3, 64, 4097, 1000003}) {
      CAPTURE(bytes);
      const Buffer first(backend->allocator(), bytes, {"test", "first"});
      const Buffer second(backend->allocator(), bytes, {"test", "second"});
      std::vector<std::uint8_t> sent(bytes), received(bytes);
      std::iota(sent.begin(), sent.end(), std::uint8_t{1});
      device.copyFromHost(first.data(), sent.data(), bytes);
      device.copy(second.data(), first.data(), bytes);
      device.copyToHost(received.data(), second.data(), bytes);
      CHECK(received == sent);
      device.zero(first.data(), bytes);
      device.copyToHost(received.data(), first.data(), bytes);
      CHECK(received == std::vector<std::uint8_t>(bytes, 0));
    }
  }
}

TEST_CASE("views of GPU memory are copied by their strides") {
  FOR_EACH_GPU_BACKEND(backend) {
    const auto values = counted(5 * 7 * 11 * 3);
    const auto onHost = tensor(hostAllocator(), {5, 7, 11, 3}, values);
    const auto onGpu = tensor(*backend, {5, 7, 11, 3}, values);
    const auto checkView = [&](const auto& viewOf) {
      CHECK(valuesOf(viewOf(onGpu).contiguous()) == valuesOf(viewOf(onHost).contiguous()));
    };
    checkView([](const Tensor& x) { return x.transpose(0, 3); });
    checkView([](const Tensor& x) { return x.transpose(1, 2).narrow(0, 1, 3); });
    checkView([](const Tensor& x) { return x.select(1, 6).transpose(0, 1); });
    checkView([](const Tensor& x) { return x.narrow(2, 0, 1).expand({5, 7, 11, 3}); });
  }
}

TEST_CASE("a copy into a view of GPU memory leaves what lies between alone") {
  FOR_EACH_GPU_BACKEND(backend) {
    const auto matrix = countedTensor(*backend, {3, 4});
    matrix.narrow(1, 1, 2).copyFrom(tensor(*backend, {3, 2}, {-1, -2, -3, -4, -5, -6}));
    CHECK(valuesOf(matrix) == std::vector<float>{0, -1, -2, 3, 4, -3, -4, 7, 8, -5, -6, 11});
  }
}

TEST_CASE("an allocation larger than the GPU is refused and costs nothing") {
  FOR_EACH_GPU_BACKEND(backend) {
    const auto before = ledger()->liveBytes();
    Tensor huge(backend->allocator(), "finput");
    checkThrows<MemoryError>([&] { huge.resize({std::int64_t{1} << 50}); },
                             {"finput", "4503599627370496 bytes"});
    CHECK(ledger()->liveBytes() == before);
    CHECK(valuesOf(countedTensor(*backend, {3})) == std::vector<float>{0, 1, 2});
  }
}

}  // namespace torchette::testing

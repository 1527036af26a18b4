// Copies between tensors: contiguous, strided, refused.
#include <doctest/doctest.h>

#include "runtime/allocators.h"
#include "runtime/errors.h"
#include "runtime/host_device.h"
#include "runtime/owner_scope.h"
#include "runtime/tensor.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_memory.h"
#include "tests/support/test_tensors.h"

namespace torchette {

using testing::checkThrows;
using testing::hostAllocator;
using testing::ledger;
using testing::tensor;
using testing::valuesOf;

TEST_CASE("a clone is a contiguous copy in a storage of its own") {
  const Tensor x = tensor(hostAllocator(), {2, 2}, {1, 2, 3, 4});
  const Tensor y = x.clone();
  y.zero();
  CHECK(valuesOf(x) == std::vector<float>{1, 2, 3, 4});
  CHECK(y.shape() == x.shape());
  CHECK_FALSE(y.sharesStorageWith(x));
}

TEST_CASE("a clone of a small view takes the bytes of the view only") {
  const Tensor x = tensor(hostAllocator(), {100}, std::vector<float>(100, 1));
  const OwnerScope scope("net/clone");
  const Tensor y = x.narrow(0, 10, 5).clone();
  CHECK(y.offset() == 0);
  CHECK(ledger()->liveHoldings() ==
        std::vector<Holding>{{"", "tensor", 400}, {"net/clone", "tensor", 20}});
}

TEST_CASE("a clone keeps element type and field") {
  const auto x =
      Tensor::fromValues(hostAllocator(), {2}, std::vector<std::int64_t>{5, 6}, "indices");
  const Tensor y = x.clone();
  CHECK(y.values<std::int64_t>() == std::vector<std::int64_t>{5, 6});
  CHECK(y.storage()->field() == "indices");
}

TEST_CASE("copying between contiguous tensors copies every element") {
  const Tensor x = tensor(hostAllocator(), {3}, {1, 2, 3});
  const Tensor y = tensor(hostAllocator(), {5}, {9, 9, 9, 9, 9});
  y.narrow(0, 1, 3).copyFrom(x);
  CHECK(valuesOf(y) == std::vector<float>{9, 1, 2, 3, 9});
}

TEST_CASE("copying between strided views follows both") {
  const Tensor x = tensor(hostAllocator(), {3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const Tensor y = tensor(hostAllocator(), {2, 5}, std::vector<float>(10, -1));
  y.narrow(1, 1, 3).copyFrom(x.narrow(1, 2, 2).transpose(0, 1));
  CHECK(valuesOf(y) == std::vector<float>{-1, 2, 6, 10, -1, -1, 3, 7, 11, -1});
}

TEST_CASE("copying strided views of 64-bit integers moves whole elements") {
  const std::vector<std::int64_t> values{1LL << 40, 2LL << 40, 3LL << 40, 4LL << 40};
  const auto x = Tensor::fromValues(hostAllocator(), {2, 2}, values);
  const auto y = Tensor::fromValues(hostAllocator(), {2, 2}, std::vector<std::int64_t>(4, 0));
  y.copyFrom(x.transpose(0, 1));
  CHECK(y.values<std::int64_t>() ==
        std::vector<std::int64_t>{1LL << 40, 3LL << 40, 2LL << 40, 4LL << 40});
}

TEST_CASE("copying from an expanded tensor repeats it") {
  const Tensor bias = tensor(hostAllocator(), {1, 2}, {1, 2});
  const Tensor y = tensor(hostAllocator(), {3, 2}, std::vector<float>(6, 0));
  y.copyFrom(bias.expand({3, 2}));
  CHECK(valuesOf(y) == std::vector<float>{1, 2, 1, 2, 1, 2});
}

TEST_CASE("copying four dimensions with every order of strides keeps the elements in place") {
  const Shape shape{2, 3, 4, 5};
  const Tensor x = tensor(hostAllocator(), shape, testing::randomValues(120, 1));
  for (int first = 0; first < 4; ++first) {
    for (int second = 0; second < 4; ++second) {
      CAPTURE(first);
      CAPTURE(second);
      const Tensor y = x.transpose(first, second);
      const Tensor z = y.clone();
      CHECK(valuesOf(z.transpose(first, second)) == valuesOf(x));
    }
  }
}

TEST_CASE("copying empty tensors does nothing") {
  const Tensor x(hostAllocator());
  const Tensor y(hostAllocator());
  CHECK_NOTHROW(y.copyFrom(x));
}

TEST_CASE("values of a strided view come in row-major order and leave no bytes behind") {
  const Tensor x = tensor(hostAllocator(), {2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(valuesOf(x.transpose(0, 1)) == std::vector<float>{1, 4, 2, 5, 3, 6});
  CHECK(ledger()->liveBytes() == 24);
}

TEST_CASE("new values of a strided view land in its elements only") {
  const Tensor x = tensor(hostAllocator(), {2, 3}, {1, 2, 3, 4, 5, 6});
  x.transpose(0, 1).narrow(0, 1, 2).copyFromValues(std::vector<float>{20, 50, 30, 60});
  CHECK(valuesOf(x) == std::vector<float>{1, 20, 30, 4, 50, 60});
  CHECK(ledger()->liveBytes() == 24);
}

TEST_CASE("copying between other shapes is refused with both") {
  const Tensor x = tensor(hostAllocator(), {2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor y = tensor(hostAllocator(), {3, 2}, {0, 0, 0, 0, 0, 0});
  const OwnerScope scope("net/copy");
  checkThrows<ShapeError>([&] { y.copyFrom(x); },
                          {"net/copy: ", "size 2x3", "cannot be copied", "size 3x2"});
}

TEST_CASE("copying between other element types is refused with both") {
  const Tensor x = tensor(hostAllocator(), {2}, {1, 2});
  const auto y = Tensor::fromValues(hostAllocator(), {2}, std::vector<std::int64_t>{0, 0});
  checkThrows<ShapeError>([&] { y.copyFrom(x); }, {"expected", "int64", "got float32"});
}

TEST_CASE("copying between two devices is refused even if both are of one kind") {
  const auto other = std::make_shared<DeviceAllocator>(std::make_shared<HostDevice>());
  const Tensor x = tensor(hostAllocator(), {2}, {1, 2});
  const Tensor y = tensor(other, {2}, {0, 0});
  checkThrows<ShapeError>([&] { y.copyFrom(x); }, {"device cpu", "cannot be copied"});
}

}  // namespace torchette

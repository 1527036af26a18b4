// Tensor: making, resizing, sharing, clearing, element types.
#include "runtime/tensor.h"

#include <doctest/doctest.h>

#include "runtime/allocators.h"
#include "runtime/errors.h"
#include "runtime/owner_scope.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_memory.h"
#include "tests/support/test_tensors.h"

namespace torchette {

using testing::checkThrows;
using testing::hostAllocator;
using testing::ledger;
using testing::tensor;
using testing::valuesOf;

TEST_CASE("a new tensor is empty and takes no bytes") {
  const Tensor x(hostAllocator(), "output");
  CHECK(x.isEmpty());
  CHECK(x.rank() == 0);
  CHECK(x.bytes() == 0);
  CHECK(x.hasStorage());
  CHECK(x.dtype() == DType::float32);
  CHECK(x.storage()->field() == "output");
  CHECK(ledger()->peakBytes() == 0);
}

TEST_CASE("a tensor holds the values it was made from") {
  const Tensor x = tensor(hostAllocator(), {2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(x.shape() == Shape{2, 3});
  CHECK(x.elements() == 6);
  CHECK(x.bytes() == 24);
  CHECK(x.isContiguous());
  CHECK(valuesOf(x) == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(x.data<float>()[4] == 5);
}

TEST_CASE("a tensor of 64-bit integers takes 8 bytes an element") {
  const auto x =
      Tensor::fromValues(hostAllocator(), {3}, std::vector<std::int64_t>{1, -2, 1LL << 40});
  CHECK(x.dtype() == DType::int64);
  CHECK(x.bytes() == 24);
  CHECK(x.values<std::int64_t>() == std::vector<std::int64_t>{1, -2, 1LL << 40});
}

TEST_CASE("too few or too many values are refused with both counts") {
  checkThrows<ShapeError>(
      [] {
        tensor(hostAllocator(), {2, 3}, {1, 2, 3, 4, 5});
      },
      {"2x3", "takes 6 values", "got 5"});
  const Tensor x = tensor(hostAllocator(), {2}, {1, 2});
  checkThrows<ShapeError>(
      [&] {
        x.copyFromValues(std::vector<float>{1, 2, 3});
      },
      {"size 2 ", "takes 2 values", "got 3"});
}

TEST_CASE("resizing to fewer elements keeps the bytes") {
  Tensor x(hostAllocator());
  x.resize({64, 10});
  x.resize({17, 10});
  CHECK(x.shape() == Shape{17, 10});
  CHECK(x.bytes() == 680);
  CHECK(x.storage()->bytes() == 2560);
  CHECK(ledger()->liveBytes() == 2560);
}

TEST_CASE("alternating batches of 64 and 17 neither allocate again nor move the data") {
  Tensor x(hostAllocator());
  x.resize({64, 10});
  const float* data = x.data<float>();
  for (int i = 0; i < 3; ++i) {
    x.resize({17, 10});
    x.resize({64, 10});
  }
  CHECK(x.data<float>() == data);
  CHECK(ledger()->peakBytes() == 2560);
}

TEST_CASE("resizing to a shape without elements is allowed") {
  Tensor x = tensor(hostAllocator(), {2}, {1, 2});
  x.resize({0, 5});
  CHECK(x.isEmpty());
  CHECK(x.shape() == Shape{0, 5});
  CHECK(valuesOf(x).empty());
  x.resize(Shape());
  CHECK(x.rank() == 0);
}

TEST_CASE("resizing makes a view contiguous at its offset") {
  const Tensor x = tensor(hostAllocator(), {3, 2}, {1, 2, 3, 4, 5, 6});
  Tensor lower = x.narrow(0, 1, 2).transpose(0, 1);
  lower.resize({4});
  CHECK(lower.offset() == 2);
  CHECK(valuesOf(lower) == std::vector<float>{3, 4, 5, 6});
  lower.resize({5});
  CHECK(x.storage()->elements() == 7);
  CHECK(valuesOf(lower.narrow(0, 0, 4)) == std::vector<float>{3, 4, 5, 6});
  CHECK(valuesOf(x) == std::vector<float>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a resize that fails leaves the tensor as it was") {
  const auto failing = std::make_shared<FailingAllocator>(hostAllocator());
  Tensor x = tensor(failing, {2, 2}, {1, 2, 3, 4});
  failing->failAt(1);
  const OwnerScope scope("net/conv1");
  checkThrows<MemoryError>([&] { x.resize({8, 9}); }, {"net/conv1: ", "8x9", "288 bytes"});
  CHECK(x.shape() == Shape{2, 2});
  CHECK(valuesOf(x) == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("a copied tensor is another view of the same elements") {
  const Tensor x = tensor(hostAllocator(), {2}, {1, 2});
  const Tensor y = x;
  y.copyFromValues(std::vector<float>{8, 9});
  CHECK(valuesOf(x) == std::vector<float>{8, 9});
  CHECK(x.sharesStorageWith(y));
  CHECK(x.isSameView(y));
  CHECK(ledger()->liveBytes() == 8);
}

TEST_CASE("set makes a tensor look at what another looks at") {
  Tensor x(hostAllocator());
  const Tensor y = tensor(hostAllocator(), {2, 2}, {1, 2, 3, 4});
  x.set(y.select(0, 1));
  CHECK(valuesOf(x) == std::vector<float>{3, 4});
  CHECK(x.sharesStorageWith(y));
  CHECK_FALSE(x.isSameView(y));
}

TEST_CASE("tensors over a shared storage see each other through growth") {
  Tensor x = tensor(hostAllocator(), {2}, {1, 2});
  Tensor y(hostAllocator());
  y.set(x);
  y.resize({1000});
  y.copyFromValues(std::vector<float>(1000, 5));
  CHECK(valuesOf(x) == std::vector<float>{5, 5});
}

TEST_CASE("set looks at a storage with any offset and strides that stay inside") {
  const Tensor x = tensor(hostAllocator(), {6}, {0, 1, 2, 3, 4, 5});
  Tensor y;
  y.set(x.storage(), 1, {2, 2}, {2, 1});
  CHECK(valuesOf(y) == std::vector<float>{1, 2, 3, 4});
  y.set(x.storage(), 3, {2, 2}, {1, 1});
  CHECK(valuesOf(y) == std::vector<float>{3, 4, 4, 5});
  y.set(x.storage(), 5, {4}, {0});
  CHECK(valuesOf(y) == std::vector<float>{5, 5, 5, 5});
}

TEST_CASE("set refuses a view that leaves its storage") {
  const Tensor x = tensor(hostAllocator(), {6}, {0, 1, 2, 3, 4, 5});
  Tensor y;
  const auto refused = [&](std::int64_t offset, const Shape& shape,
                           const std::vector<std::int64_t>& strides) {
    checkThrows<ShapeError>([&] { y.set(x.storage(), offset, shape, strides); },
                            {"size " + shape.toString(), "element " + std::to_string(offset),
                             "leaves its storage of 6 elements"});
  };
  refused(0, {7}, {1});
  refused(1, {2, 3}, {3, 1});
  refused(-1, {2}, {1});
  refused(5, {3}, {-1});
  refused(-3, {0}, {1});
  refused(1, {2}, {INT64_MAX});
  refused(0, {3}, {INT64_MAX / 2 + 1});
  refused(INT64_MAX, {2}, {1});
  CHECK_FALSE(y.hasStorage());
}

TEST_CASE("set refuses another number of strides than dimensions") {
  const Tensor x = tensor(hostAllocator(), {2}, {1, 2});
  Tensor y;
  checkThrows<ShapeError>(
      [&] {
        y.set(x.storage(), 0, {1, 2}, {1});
      },
      {"1x2", "needs 2 strides", "got 1"});
}

TEST_CASE("clearing a tensor frees its bytes and keeps its field") {
  Tensor x = tensor(hostAllocator(), {2}, {1, 2});
  x.clear();
  CHECK(x.isEmpty());
  CHECK(x.hasStorage());
  CHECK(x.storage()->field() == "tensor");
  CHECK(ledger()->liveBytes() == 0);
}

TEST_CASE("clearing one of two tensors over a storage leaves the other alone") {
  Tensor x = tensor(hostAllocator(), {2}, {1, 2});
  const Tensor y = x;
  x.clear();
  CHECK(valuesOf(y) == std::vector<float>{1, 2});
  CHECK_FALSE(x.sharesStorageWith(y));
  CHECK(ledger()->liveBytes() == 8);
}

TEST_CASE("clearing a view forgets its offset") {
  Tensor x = tensor(hostAllocator(), {4}, {1, 2, 3, 4}).narrow(0, 2, 2);
  x.clear();
  x.resize({2});
  CHECK(x.offset() == 0);
  CHECK(x.storage()->elements() == 2);
}

TEST_CASE("a tensor without storage can only be assigned to") {
  Tensor x;
  CHECK_FALSE(x.hasStorage());
  CHECK(x.isEmpty());
  const OwnerScope scope("net/conv1");
  const auto refused = [](const auto& call) {
    checkThrows<StateError>(call, {"net/conv1: ", "tensor without storage", "assign one first"});
  };
  refused([&] { x.resize({1}); });
  refused([&] { x.clear(); });
  refused([&] { (void)x.dtype(); });
  refused([&] { (void)x.device(); });
  refused([&] { (void)x.allocator(); });
  refused([&] { (void)x.data<float>(); });
  refused([&] { (void)x.clone(); });
  CHECK_FALSE(x.sharesStorageWith(x));
  x = tensor(hostAllocator(), {1}, {7});
  CHECK(valuesOf(x) == std::vector<float>{7});
}

TEST_CASE("asking for elements of another type is refused with both types") {
  const Tensor x = tensor(hostAllocator(), {2}, {1, 2});
  checkThrows<ShapeError>([&] { (void)x.data<std::int64_t>(); },
                          {"expected", "int64", "got float32", "size 2"});
  checkThrows<ShapeError>([&] { (void)x.values<std::int64_t>(); }, {"int64", "got float32"});
  checkThrows<ShapeError>(
      [&] {
        x.copyFromValues(std::vector<std::int64_t>{1, 2});
      },
      {"int64", "got float32"});
}

TEST_CASE("zeroing reaches every element of the view and no other") {
  const Tensor x = tensor(hostAllocator(), {2, 3}, {1, 2, 3, 4, 5, 6});
  x.narrow(1, 1, 2).zero();
  CHECK(valuesOf(x) == std::vector<float>{1, 0, 0, 4, 0, 0});
  x.select(0, 1).zero();
  CHECK(valuesOf(x) == std::vector<float>{1, 0, 0, 0, 0, 0});
  x.zero();
  CHECK(valuesOf(x) == std::vector<float>(6, 0));
  CHECK_NOTHROW(Tensor(hostAllocator()).zero());
}

}  // namespace torchette

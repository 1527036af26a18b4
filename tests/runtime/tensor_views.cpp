// Views of a tensor: narrow, select, view, transpose, expand, and what they refuse.
#include <doctest/doctest.h>

#include "runtime/errors.h"
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

namespace {

/// 2 x 3 x 4, holding 0, 1, ..., 23.
Tensor counting() {
  std::vector<float> values(24);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return tensor(hostAllocator(), {2, 3, 4}, values);
}

}  // namespace

TEST_CASE("narrow keeps a range of one dimension") {
  const Tensor x = counting();
  const Tensor rows = x.narrow(1, 1, 2);
  CHECK(rows.shape() == Shape{2, 2, 4});
  CHECK(rows.offset() == 4);
  CHECK_FALSE(rows.isContiguous());
  CHECK(valuesOf(rows) ==
        std::vector<float>{4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22, 23});
  CHECK(x.narrow(0, 1, 1).isContiguous());
  CHECK(x.narrow(0, 2, 0).isEmpty());
}

TEST_CASE("select takes one index and drops the dimension") {
  const Tensor x = counting();
  CHECK(x.select(0, 1).shape() == Shape{3, 4});
  CHECK(x.select(0, 1).isContiguous());
  CHECK(valuesOf(x.select(2, 3)) == std::vector<float>{3, 7, 11, 15, 19, 23});
  CHECK(x.select(2, 3).shape() == Shape{2, 3});
  CHECK(valuesOf(x.select(1, 2).select(0, 1)) == std::vector<float>{20, 21, 22, 23});
}

TEST_CASE("a view has the same elements under another shape") {
  const Tensor x = counting();
  const Tensor flat = x.view({24});
  CHECK(flat.sharesStorageWith(x));
  CHECK(valuesOf(flat) == valuesOf(x));
  CHECK(valuesOf(x.view({6, 4}).select(0, 5)) == std::vector<float>{20, 21, 22, 23});
  CHECK(x.select(0, 1).view({12}).offset() == 12);
}

TEST_CASE("transpose swaps two dimensions without copying") {
  const Tensor x = tensor(hostAllocator(), {2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor y = x.transpose(0, 1);
  CHECK(y.shape() == Shape{3, 2});
  CHECK(y.sharesStorageWith(x));
  CHECK(valuesOf(y) == std::vector<float>{1, 4, 2, 5, 3, 6});
  CHECK(y.transpose(1, 0).isSameView(x));
  CHECK(counting().transpose(0, 2).shape() == Shape{4, 3, 2});
  CHECK(x.transpose(1, 1).isSameView(x));
}

TEST_CASE("expand repeats dimensions of extent 1 without taking bytes") {
  const Tensor x = tensor(hostAllocator(), {2, 1}, {1, 2});
  const Tensor y = x.expand({2, 3});
  CHECK(valuesOf(y) == std::vector<float>{1, 1, 1, 2, 2, 2});
  CHECK_FALSE(y.isContiguous());
  CHECK(y.bytes() == 24);
  CHECK(ledger()->liveBytes() == 8);
  CHECK(valuesOf(y.transpose(0, 1)) == std::vector<float>{1, 2, 1, 2, 1, 2});
  CHECK(x.expand({2, 1}).isSameView(x));
  CHECK(x.expand({2, 0}).isEmpty());
}

TEST_CASE("extents of 1 and empty tensors are contiguous whatever their strides") {
  const Tensor x = counting();
  CHECK(x.narrow(0, 0, 1).transpose(0, 1).isContiguous());
  CHECK(x.select(2, 0).narrow(0, 0, 1).select(1, 1).isContiguous());
  CHECK(x.narrow(2, 1, 0).isContiguous());
  CHECK_FALSE(x.transpose(0, 1).isContiguous());
}

TEST_CASE("contiguous is the tensor itself when it is contiguous already") {
  const Tensor x = counting();
  CHECK(x.contiguous().isSameView(x));
  CHECK(x.select(0, 1).contiguous().sharesStorageWith(x));
}

TEST_CASE("contiguous copies a strided view for the current owner") {
  const Tensor x = tensor(hostAllocator(), {2, 3}, {1, 2, 3, 4, 5, 6});
  const OwnerScope scope("net/linear");
  const Tensor y = x.transpose(0, 1).contiguous();
  CHECK(y.isContiguous());
  CHECK_FALSE(y.sharesStorageWith(x));
  CHECK(valuesOf(y) == std::vector<float>{1, 4, 2, 5, 3, 6});
  CHECK(ledger()->liveHoldings() ==
        std::vector<Holding>{{"", "tensor", 24}, {"net/linear", "tensor", 24}});
}

TEST_CASE("a range outside a dimension is refused with the call and the size") {
  const Tensor x = counting();
  const OwnerScope scope("net/narrow");
  checkThrows<ShapeError>([&] { x.narrow(1, 2, 2); }, {"net/narrow: ", "narrow", "2 elements",
                                                       "index 2", "dimension 1", "2x3x4"});
  checkThrows<ShapeError>([&] { x.narrow(0, -1, 1); }, {"narrow", "-1", "2x3x4"});
  checkThrows<ShapeError>([&] { x.narrow(0, 0, -1); }, {"narrow", "-1", "2x3x4"});
  checkThrows<ShapeError>([&] { x.narrow(0, INT64_MAX, INT64_MAX); }, {"narrow", "2x3x4"});
  checkThrows<ShapeError>([&] { x.select(2, 4); }, {"select", "index 4", "dimension 2", "2x3x4"});
  checkThrows<ShapeError>([&] { x.select(2, -1); }, {"select", "-1", "2x3x4"});
}

TEST_CASE("a dimension that is not there is refused by every view") {
  const Tensor x = counting();
  checkThrows<ShapeError>([&] { x.narrow(3, 0, 1); }, {"dimension 3", "2x3x4"});
  checkThrows<ShapeError>([&] { x.select(-1, 0); }, {"dimension -1", "2x3x4"});
  checkThrows<ShapeError>([&] { x.transpose(3, 0); }, {"dimension 3", "2x3x4"});
  checkThrows<ShapeError>([&] { x.transpose(0, 3); }, {"dimension 3", "2x3x4"});
  checkThrows<ShapeError>([&] { (void)x.size(3); }, {"dimension 3", "2x3x4"});
  checkThrows<ShapeError>([&] { Tensor(hostAllocator()).select(0, 0); }, {"dimension 0", "empty"});
}

TEST_CASE("a view of another element count is refused with both shapes") {
  const Tensor x = counting();
  const OwnerScope scope("net/view");
  checkThrows<ShapeError>(
      [&] {
        x.view({5, 5});
      },
      {"net/view: ", "2x3x4", "cannot be viewed as 5x5"});
}

TEST_CASE("a view of a tensor that is not contiguous is refused and says so") {
  const Tensor x = counting().transpose(0, 1);
  checkThrows<ShapeError>([&] { x.view({24}); }, {"3x2x4", "not contiguous", "viewed as 24"});
}

TEST_CASE("only extents of 1 can be expanded") {
  const Tensor x = tensor(hostAllocator(), {2, 1}, {1, 2});
  const OwnerScope scope("net/add");
  checkThrows<ShapeError>(
      [&] {
        x.expand({3, 1});
      },
      {"net/add: ", "2x1", "expanded to 3x1", "only extents of 1"});
  checkThrows<ShapeError>([&] { x.expand({2, 1, 1}); }, {"2x1", "expanded to 2x1x1"});
}

}  // namespace torchette

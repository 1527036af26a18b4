// Shape: extents, counts, strides and their limits.
#include "runtime/shape.h"

#include <doctest/doctest.h>

#include "runtime/errors.h"
#include "tests/support/check_throws.h"

namespace torchette {

using testing::checkThrows;

TEST_CASE("a shape knows its rank and extents") {
  const Shape shape{16, 48, 256};
  CHECK(shape.rank() == 3);
  CHECK(shape[0] == 16);
  CHECK(shape[2] == 256);
  CHECK(shape.extents() == std::vector<std::int64_t>{16, 48, 256});
}

TEST_CASE("the element count is the product of the extents") {
  CHECK(Shape{16, 48, 256}.elements() == 196608);
  CHECK(Shape{7}.elements() == 7);
  CHECK(Shape{5, 0, 3}.elements() == 0);
}

TEST_CASE("a shape without dimensions holds no elements") {
  CHECK(Shape().rank() == 0);
  CHECK(Shape().elements() == 0);
  CHECK(Shape().contiguousStrides().empty());
}

TEST_CASE("element counts beyond 32 bits are exact") {
  CHECK(Shape{70000, 70000}.elements() == 4900000000);
  CHECK(Shape{1LL << 31, 1LL << 31}.elements() == 1LL << 62);
}

TEST_CASE("an element count beyond 63 bits is refused with the shape in the message") {
  checkThrows<ShapeError>(
      [] {
        (void)Shape{1LL << 32, 1LL << 31}.elements();
      },
      {"4294967296x2147483648", "more than 2^63 elements"});
}

TEST_CASE("a shape with an extent of 0 is empty however large the others are") {
  CHECK(Shape{1LL << 40, 1LL << 40, 0}.elements() == 0);
  CHECK(Shape{1LL << 40, 1LL << 40, 0}.contiguousStrides().size() == 3);
}

TEST_CASE("contiguous strides count the elements behind each index") {
  CHECK(Shape{4, 3, 2}.contiguousStrides() == std::vector<std::int64_t>{6, 2, 1});
  CHECK(Shape{3, 70000, 70000}.contiguousStrides() ==
        std::vector<std::int64_t>{4900000000, 70000, 1});
}

TEST_CASE("a negative extent is refused and named") {
  checkThrows<ShapeError>([] { (void)Shape{2, -3}; }, {"-3", "0 or more"});
  checkThrows<ShapeError>([] { (void)Shape(std::vector<std::int64_t>{-1}); }, {"-1", "0 or more"});
}

TEST_CASE("asking a shape for a dimension it lacks names dimension and shape") {
  const Shape shape{2, 3};
  checkThrows<ShapeError>([&] { (void)shape[2]; }, {"dimension 2", "2x3", "2 dimensions"});
  checkThrows<ShapeError>([&] { (void)shape[-1]; }, {"dimension -1", "2x3"});
  checkThrows<ShapeError>([] { (void)Shape()[0]; }, {"dimension 0", "empty", "0 dimensions"});
}

TEST_CASE("a dimension can be replaced and removed and inserted") {
  const Shape shape{2, 3, 4};
  CHECK(shape.with(1, 7) == Shape{2, 7, 4});
  CHECK(shape.without(0) == Shape{3, 4});
  CHECK(shape.without(2) == Shape{2, 3});
  CHECK(shape.inserted(0, 9) == Shape{9, 2, 3, 4});
  CHECK(shape.inserted(3, 9) == Shape{2, 3, 4, 9});
  CHECK(shape == Shape{2, 3, 4});
}

TEST_CASE("changing a dimension that is not there is refused") {
  const Shape shape{2, 3};
  checkThrows<ShapeError>([&] { (void)shape.with(2, 1); }, {"dimension 2", "2x3"});
  checkThrows<ShapeError>([&] { (void)shape.with(-1, 1); }, {"dimension -1", "2x3"});
  checkThrows<ShapeError>([&] { (void)shape.without(2); }, {"dimension 2", "2x3"});
  checkThrows<ShapeError>([&] { (void)shape.inserted(3, 1); }, {"dimension 3", "2x3"});
  checkThrows<ShapeError>([&] { (void)shape.with(0, -4); }, {"-4", "0 or more"});
}

TEST_CASE("a shape prints its extents with crosses between them") {
  CHECK(Shape{16, 48, 256}.toString() == "16x48x256");
  CHECK(Shape{5}.toString() == "5");
  CHECK(Shape().toString() == "empty");
}

TEST_CASE("shapes are equal when rank and extents are") {
  CHECK(Shape{2, 3} == Shape{2, 3});
  CHECK_FALSE(Shape{2, 3} == Shape{3, 2});
  CHECK_FALSE(Shape{2, 3} == Shape{2, 3, 1});
}

}  // namespace torchette

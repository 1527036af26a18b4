// What a dataset knows of itself.
#include "examples/data/dataset.h"

#include <doctest/doctest.h>

#include "runtime/errors.h"
#include "tests/support/check_throws.h"

namespace torchette::data {

namespace {

/// Three images of two pixels.
Dataset threeImages() { return {3, 1, 1, 2, {1, 2, 3, 4, 5, 6}, {4, 7, 5}}; }

}  // namespace

TEST_CASE("a limited dataset keeps the first images") {
  auto dataset = threeImages();
  dataset.limit(2);
  CHECK(dataset.count == 2);
  CHECK(dataset.pixels == std::vector<std::uint8_t>{1, 2, 3, 4});
  CHECK(dataset.labels == std::vector<std::uint8_t>{4, 7});
  dataset.limit(5);
  CHECK(dataset.count == 2);
}

TEST_CASE("a dataset cannot be limited to nothing") {
  auto dataset = threeImages();
  testing::checkThrows<ArgumentError>([&] { dataset.limit(0); }, {"0 images", "at least 1"});
  CHECK(dataset.count == 3);
}

TEST_CASE("the largest label is found") {
  CHECK(threeImages().largestLabel() == 7);
  CHECK(Dataset().largestLabel() == -1);
}

TEST_CASE("the checksum sees pixels and labels and sizes") {
  const auto checksum = threeImages().checksum();
  CHECK(threeImages().checksum() == checksum);
  auto pixel = threeImages(), label = threeImages(), size = threeImages();
  pixel.pixels[3] = 9;
  label.labels[1] = 6;
  std::swap(size.height, size.width);
  CHECK(pixel.checksum() != checksum);
  CHECK(label.checksum() != checksum);
  CHECK(size.checksum() != checksum);
}

}  // namespace torchette::data

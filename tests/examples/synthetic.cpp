// Synthetic images.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "examples/data/dataset.h"
#include "runtime/errors.h"
#include "tests/support/check_throws.h"

namespace torchette::data {

TEST_CASE("synthetic images are the same for the same seed only") {
  const auto first = syntheticData(20, 10, {3, 6, 7}, 4, 5);
  const auto again = syntheticData(20, 10, {3, 6, 7}, 4, 5);
  const auto other = syntheticData(20, 10, {3, 6, 7}, 4, 6);
  CHECK(first.training.pixels == again.training.pixels);
  CHECK(first.test.pixels == again.test.pixels);
  CHECK(first.training.pixels != other.training.pixels);
}

TEST_CASE("synthetic images have the sizes and classes asked for") {
  const auto data = syntheticData(20, 10, {3, 6, 7}, 4, 5);
  CHECK(data.name == "synthetic");
  CHECK(data.training.sampleShape() == Shape{3, 6, 7});
  CHECK(data.training.count == 20);
  CHECK(data.training.pixels.size() == 20 * 3 * 6 * 7);
  CHECK(data.test.count == 10);
  CHECK(data.test.pixels.size() == 10 * 3 * 6 * 7);
  CHECK(data.training.largestLabel() == 3);
  CHECK(std::ranges::count(data.training.labels, 2) == 5);
}

TEST_CASE("synthetic images of one class are alike and differ from other classes") {
  const auto data = syntheticData(4, 1, {1, 16, 16}, 2, 1);
  const auto distance = [&](std::size_t a, std::size_t b) {
    int sum = 0;
    for (std::size_t i = 0; i < 256; ++i) {
      sum += std::abs(data.training.pixels[a * 256 + i] - data.training.pixels[b * 256 + i]);
    }
    return sum;
  };
  CHECK(distance(0, 2) > 0);
  CHECK(distance(0, 2) < distance(0, 1));
}

TEST_CASE("synthetic images without number or size or class are refused") {
  using testing::checkThrows;
  checkThrows<ArgumentError>([] { syntheticData(0, 1, {1, 2, 2}, 2, 1); }, {"at least 1", "got 0"});
  checkThrows<ArgumentError>([] { syntheticData(1, 1, {1, 2, 2}, 257, 1); }, {"256", "257"});
  checkThrows<ArgumentError>([] { syntheticData(1, 1, {2, 2}, 2, 1); }, {"planes", "2x2"});
}

}  // namespace torchette::data

// A set of bytes as ranges, compared with a set of single bytes.
#include "backends/dry/byte_ranges.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "runtime/generator.h"

namespace torchette::testing {

TEST_CASE("an empty set of bytes contains nothing but empty ranges") {
  const ByteRanges ranges;
  CHECK_FALSE(ranges.contain(0, 1));
  CHECK(ranges.contain(3, 3));
}

TEST_CASE("ranges that touch or overlap are one") {
  ByteRanges ranges;
  ranges.add(0, 4);
  ranges.add(8, 12);
  CHECK(ranges.contain(8, 12));
  CHECK_FALSE(ranges.contain(3, 9));
  ranges.add(4, 8);
  CHECK(ranges.contain(0, 12));
  CHECK_FALSE(ranges.contain(0, 13));
}

TEST_CASE("random ranges contain the bytes that were added") {
  Generator generator(7);
  for (int trial = 0; trial < 200; ++trial) {
    constexpr std::int64_t extent = 40;
    ByteRanges ranges;
    std::array<bool, extent> isAdded{};
    for (int step = 0; step < 8; ++step) {
      const std::int64_t begin = generator.random() % extent;
      const std::int64_t end = begin + generator.random() % (extent - begin);
      ranges.add(begin, end);
      std::fill(isAdded.begin() + begin, isAdded.begin() + end, true);
    }
    for (std::int64_t begin = 0; begin < extent; ++begin) {
      for (std::int64_t end = begin; end < extent; ++end) {
        const bool expected =
            std::all_of(isAdded.begin() + begin, isAdded.begin() + end, [](bool b) { return b; });
        if (ranges.contain(begin, end) != expected) FAIL("trial " << trial);
      }
    }
  }
  CHECK(true);
}

}  // namespace torchette::testing

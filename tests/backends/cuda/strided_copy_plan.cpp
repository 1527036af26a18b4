// Strided copies as kernels, run here by the host, agree with the host device's.
#include "backends/cuda/strided_copy_plan.h"

#include <doctest/doctest.h>

#include <numeric>

#include "runtime/errors.h"
#include "runtime/host_device.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

using cuda::CopyStrided;
using cuda::planStridedCopy;
using cuda::StridedCopyPlan;
using cuda::StridedDimension;

namespace {

struct CopyCase {
  std::vector<std::int64_t> extents, destinationStrides, sourceStrides;
};

/// Room for the elements that the case's strides reach.
std::int64_t reach(const CopyCase& copyCase, const std::vector<std::int64_t>& strides) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    last += (copyCase.extents[i] - 1) * strides[i];
  }
  return last + 1;
}

template <class Element>
StridedCopy copyOf(const CopyCase& copyCase, std::vector<Element>& destination,
                   const std::vector<Element>& source) {
  return {destination.data(),          source.data(),          copyCase.extents,
          copyCase.destinationStrides, copyCase.sourceStrides, sizeof(Element)};
}

template <class Element>
void runPlan(const StridedCopyPlan& plan) {
  const CopyStrided<Element> kernel{plan};
  const auto grid = plan.grid();
  for (std::int64_t plane = 0; plane < grid.planes; ++plane) {
    for (std::int64_t row = 0; row < grid.rows; ++row) {
      for (std::int64_t column = 0; column < grid.columns; ++column) kernel(plane, row, column);
    }
  }
}

template <class Element>
void checkAgainstHost(const CopyCase& copyCase) {
  std::vector<Element> source(reach(copyCase, copyCase.sourceStrides));
  std::iota(source.begin(), source.end(), Element{1});
  std::vector<Element> expected(reach(copyCase, copyCase.destinationStrides));
  auto copied = expected;
  HostDevice().copyStrided(copyOf(copyCase, expected, source));
  runPlan<Element>(planStridedCopy(copyOf(copyCase, copied, source)));
  CHECK(copied == expected);
}

StridedCopyPlan planOf(const CopyCase& copyCase) {
  std::vector<float> nothing;
  return planStridedCopy(copyOf(copyCase, nothing, nothing));
}

}  // namespace

TEST_CASE("strided copies agree with the host") {
  const CopyCase cases[] = {{{7}, {1}, {1}},
                            {{7}, {2}, {0}},
                            {{3, 4}, {4, 1}, {1, 3}},
                            {{2, 3, 4}, {12, 4, 1}, {1, 8, 2}},
                            {{2, 3, 4, 5}, {60, 20, 5, 1}, {1, 2, 6, 24}},
                            {{2, 3, 4, 5, 2, 3}, {360, 120, 30, 6, 3, 1}, {1, 2, 6, 24, 120, 240}},
                            {{5, 1, 3}, {3, 99, 1}, {0, 7, 1}}};
  for (const auto& copyCase : cases) {
    checkAgainstHost<float>(copyCase);
    checkAgainstHost<std::int64_t>(copyCase);
  }
}

TEST_CASE("dimensions that are contiguous in both arrays become one") {
  const auto plan = planOf({{2, 3, 4, 5}, {60, 20, 5, 1}, {600, 20, 5, 1}});
  CHECK(plan.outerDimensions == 0);
  CHECK(plan.planes == 1);
  CHECK(plan.rows == StridedDimension{2, 60, 600});
  CHECK(plan.columns == StridedDimension{60, 1, 1});
}

TEST_CASE("dimensions of one element are left out") {
  const auto plan = planOf({{1, 6, 1}, {77, 2, 77}, {55, 3, 55}});
  CHECK(plan.rows == StridedDimension{});
  CHECK(plan.columns == StridedDimension{6, 2, 3});
}

TEST_CASE("a strided copy of no elements has no points") {
  CHECK(planOf({{}, {}, {}}).grid().points() == 0);
  for (const std::vector<std::int64_t>& extents :
       {std::vector<std::int64_t>{0, 3, 4}, {3, 0, 4}, {3, 4, 0}, {2, 0, 3}}) {
    CHECK(planOf({extents, {100, 10, 1}, {1, 10, 100}}).grid().points() == 0);
  }
}

TEST_CASE("a strided copy of more than 8 dimensions is refused") {
  const std::vector<std::int64_t> extents(9, 2);
  std::vector<std::int64_t> strides(9);
  for (std::size_t i = 0; i < 9; ++i) strides[i] = std::int64_t{1} << (2 * i);
  checkThrows<ArgumentError>(
      [&] {
        planOf({extents, strides, strides});
      },
      {"copyStrided", "9 dimensions", "at most 8", "copy in slices"});
}

}  // namespace torchette::testing

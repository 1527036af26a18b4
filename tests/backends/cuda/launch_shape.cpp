// Blocks of threads cover a grid of points within CUDA's limits.
#include "backends/cuda/launch_shape.h"

#include <doctest/doctest.h>

#include <initializer_list>

namespace torchette::testing {

using cuda::launchShapeOf;
using cuda::ThreadExtents;

namespace {

constexpr std::int64_t billion = 1'000'000'000;

const KernelGrid grids[] = {{1, 1, 1},      {1, 1, 7},       {1, 1, billion * 1000},
                            {64, 10, 1},    {1, 500, 1},     {billion, 1, 1},
                            {25, 24, 24},   {3, 5, 33},      {1, billion, 3},
                            {100000, 2, 2}, {1, 2, billion}, {billion, billion, billion}};

}  // namespace

TEST_CASE("a launch stays within the limits of CUDA") {
  for (const auto& grid : grids) {
    CAPTURE(grid.planes);
    CAPTURE(grid.rows);
    CAPTURE(grid.columns);
    const auto [block, blocks] = launchShapeOf(grid);
    for (const auto extent : {block.x, block.y, block.z, blocks.x, blocks.y, blocks.z}) {
      CHECK(extent >= 1);
    }
    CHECK(block.x * block.y * block.z <= 1024);
    CHECK(block.z <= 64);
    CHECK(blocks.x <= 2147483647U);
    CHECK(blocks.y <= 65535U);
    CHECK(blocks.z <= 65535U);
  }
}

TEST_CASE("a launch has a thread for each point where the limits allow that") {
  for (const auto& grid : grids) {
    CAPTURE(grid.planes);
    CAPTURE(grid.rows);
    CAPTURE(grid.columns);
    const auto [block, blocks] = launchShapeOf(grid);
    const auto covers = [](unsigned threads, unsigned count, std::int64_t extent, unsigned most) {
      return count == most || std::int64_t{threads} * count >= extent;
    };
    CHECK(covers(block.x, blocks.x, grid.columns, 2147483647U));
    CHECK(covers(block.y, blocks.y, grid.rows, 65535U));
    CHECK(covers(block.z, blocks.z, grid.planes, 65535U));
  }
}

TEST_CASE("no launch has blocks that are idle") {
  for (const auto& grid : grids) {
    const auto [block, blocks] = launchShapeOf(grid);
    CHECK(std::int64_t{block.x} * (blocks.x - 1) < grid.columns);
    CHECK(std::int64_t{block.y} * (blocks.y - 1) < grid.rows);
    CHECK(std::int64_t{block.z} * (blocks.z - 1) < grid.planes);
  }
}

TEST_CASE("threads of a block are neighbours in memory") {
  CHECK(launchShapeOf({1, 1, 5000}).block == ThreadExtents{256, 1, 1});
  CHECK(launchShapeOf({25, 24, 24}).block == ThreadExtents{32, 8, 1});
  CHECK(launchShapeOf({64, 500, 1}).block == ThreadExtents{1, 256, 1});
  CHECK(launchShapeOf({1024, 2, 2}).block == ThreadExtents{2, 2, 64});
}

}  // namespace torchette::testing

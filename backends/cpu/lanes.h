// How operations split their loops over OpenMP lanes.
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace torchette::cpu {

/// Grain for loops over single elements.
constexpr std::int64_t elementGrain = 8192;

/// Grain for loops whose items cost as much as `elementsPerItem` elements each.
constexpr std::int64_t grainFor(std::int64_t elementsPerItem) {
  return std::max<std::int64_t>(1, elementGrain / std::max<std::int64_t>(1, elementsPerItem));
}

/// Calls body(begin, end) for consecutive ranges that cover [0, count): one range per lane, each at
/// least `grain` long. Less than two grains, and work that already runs on a lane, stay in one
/// range on the caller's thread. `body` must not throw.
template <class Body>
void parallelFor(int lanes, std::int64_t count, std::int64_t grain, const Body& body) {
  const std::int64_t pieces = omp_in_parallel() ? 1 : std::min<std::int64_t>(lanes, count / grain);
  if (pieces <= 1) {
    if (count > 0) body(std::int64_t{0}, count);
    return;
  }
#pragma omp parallel for num_threads(static_cast <int>(pieces)) schedule(static, 1)
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    body(count * piece / pieces, count * (piece + 1) / pieces);
  }
}

/// The sum of blockSum(begin, end) over blocks of a fixed length that cover [0, elements), added up
/// in order, so that the result does not depend on the number of lanes.
template <class BlockSum>
double sumOverBlocks(int lanes, std::int64_t elements, const BlockSum& blockSum) {
  constexpr std::int64_t blockElements = 2048;
  constexpr std::int64_t blocksPerRound = 64;
  std::array<double, blocksPerRound> sums;
  double total = 0;
  for (std::int64_t start = 0; start < elements; start += blockElements * blocksPerRound) {
    const std::int64_t blocks =
        std::min(blocksPerRound, (elements - start + blockElements - 1) / blockElements);
    parallelFor(lanes, blocks, elementGrain / blockElements,
                [&](std::int64_t first, std::int64_t last) {
                  for (std::int64_t block = first; block < last; ++block) {
                    const std::int64_t begin = start + block * blockElements;
                    sums[block] = blockSum(begin, std::min(begin + blockElements, elements));
                  }
                });
    for (std::int64_t block = 0; block < blocks; ++block) total += sums[block];
  }
  return total;
}

}  // namespace torchette::cpu

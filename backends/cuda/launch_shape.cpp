// Choosing blocks: columns first, in whole warps where there are enough, then rows, then planes.
#include "backends/cuda/launch_shape.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace torchette::cuda {

namespace {

constexpr unsigned warpThreads = 32;
constexpr unsigned blockThreads = 256;
// Limits of CUDA: threads of a block along z, blocks of a launch along x and along y or z.
constexpr unsigned mostThreadsAlongZ = 64;
constexpr std::int64_t mostBlocksAlongX = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t mostBlocksAlongYOrZ = 65535;

/// The smallest power of two that covers the extent, or `most`.
unsigned threadsFor(std::int64_t extent, unsigned most) {
  return std::bit_ceil(static_cast<unsigned>(std::min<std::int64_t>(extent, most)));
}

unsigned blocksFor(std::int64_t extent, unsigned threads, std::int64_t most) {
  return static_cast<unsigned>(std::min((extent - 1) / threads + 1, most));
}

}  // namespace

LaunchShape launchShapeOf(const KernelGrid& grid) {
  const bool isOneRow = grid.planes == 1 && grid.rows == 1;
  ThreadExtents block;
  block.x = threadsFor(grid.columns, isOneRow ? blockThreads : warpThreads);
  block.y = threadsFor(grid.rows, blockThreads / block.x);
  block.z = threadsFor(grid.planes, std::min(blockThreads / block.x / block.y, mostThreadsAlongZ));
  return {block,
          {blocksFor(grid.columns, block.x, mostBlocksAlongX),
           blocksFor(grid.rows, block.y, mostBlocksAlongYOrZ),
           blocksFor(grid.planes, block.z, mostBlocksAlongYOrZ)}};
}

}  // namespace torchette::cuda

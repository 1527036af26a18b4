// LaunchShape: the blocks of threads that cover a kernel's grid.
#pragma once

#include "backends/kernels/grid.h"

namespace torchette::cuda {

/// Extents along columns (x), rows (y) and planes (z).
struct ThreadExtents {
  unsigned x = 1, y = 1, z = 1;

  bool operator==(const ThreadExtents&) const = default;
};

struct LaunchShape {
  ThreadExtents block;   ///< threads of a block
  ThreadExtents blocks;  ///< blocks of the launch
};

/// A shape within the limits of all GPUs. Where the limits do not allow a thread for each point of
/// the grid, each thread steps on by block * blocks points along each axis until it has left the
/// grid. `grid` must have points.
LaunchShape launchShapeOf(const KernelGrid& grid);

}  // namespace torchette::cuda

// The kernels of strided copies.
#include "backends/cuda/strided_copy.h"

#include <cstdint>
#include <string>

#include "backends/cuda/grid_launch.cuh"
#include "runtime/errors.h"

namespace torchette::cuda {

void launchStridedCopy(const StridedCopyPlan& plan, cudaStream_t stream) {
  switch (plan.bytesPerElement) {
    case 4:
      return launchOnGrid(stream, plan.grid(), CopyStrided<std::uint32_t>{plan});
    case 8:
      return launchOnGrid(stream, plan.grid(), CopyStrided<std::uint64_t>{plan});
    default:
      throw ArgumentError("copyStrided", "elements of " + std::to_string(plan.bytesPerElement) +
                                             " bytes, 4 or 8 are supported");
  }
}

}  // namespace torchette::cuda

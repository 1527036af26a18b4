// Running a strided copy on the GPU.
#pragma once

#include <cuda_runtime_api.h>

#include "backends/cuda/strided_copy_plan.h"

namespace torchette::cuda {

/// Issues the copy to a stream. Throws ArgumentError for elements of other than 4 or 8 bytes.
void launchStridedCopy(const StridedCopyPlan& plan, cudaStream_t stream);

}  // namespace torchette::cuda

// Launching kernels of backends/kernels on a GPU. Only for nvcc.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <typeinfo>

#include "backends/cuda/cuda_errors.h"
#include "backends/cuda/kernel_name.h"
#include "backends/cuda/launch_shape.h"

namespace torchette::cuda {

/// Runs the kernel at every point of the grid: each thread at its own point and at those that lie a
/// whole launch further along an axis.
template <class Kernel>
__global__ void runOnGrid(const KernelGrid grid, const Kernel kernel) {
  const std::int64_t firstColumn = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t firstRow = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t firstPlane = std::int64_t{blockIdx.z} * blockDim.z + threadIdx.z;
  const std::int64_t columnStep = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t rowStep = std::int64_t{gridDim.y} * blockDim.y;
  const std::int64_t planeStep = std::int64_t{gridDim.z} * blockDim.z;
  for (std::int64_t plane = firstPlane; plane < grid.planes; plane += planeStep) {
    for (std::int64_t row = firstRow; row < grid.rows; row += rowStep) {
      for (std::int64_t column = firstColumn; column < grid.columns; column += columnStep) {
        kernel(plane, row, column);
      }
    }
  }
}

inline dim3 toDim3(const ThreadExtents& extents) { return {extents.x, extents.y, extents.z}; }

/// Issues the kernel to a stream; nothing for a grid without points. Throws CudaError, with the
/// kernel's name, if it cannot be launched.
template <class Kernel>
void launchOnGrid(cudaStream_t stream, const KernelGrid& grid, const Kernel& kernel) {
  if (grid.planes == 0 || grid.rows == 0 || grid.columns == 0) return;
  const LaunchShape shape = launchShapeOf(grid);
  runOnGrid<<<toDim3(shape.blocks), toDim3(shape.block), 0, stream>>>(grid, kernel);
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) require(status, kernelName(typeid(Kernel)), "cudaLaunchKernel");
}

}  // namespace torchette::cuda

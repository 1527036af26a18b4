// StridedCopyPlan: a strided copy with as few dimensions as it needs, and the kernel that runs it.
#pragma once

#include <cstdint>

#include "backends/kernels/grid.h"
#include "backends/kernels/qualifier.h"
#include "runtime/device.h"

namespace torchette::cuda {

/// One dimension of both arrays; strides in elements.
struct StridedDimension {
  std::int64_t extent = 1, destinationStride = 0, sourceStride = 0;

  bool operator==(const StridedDimension&) const = default;
};

/// The innermost two dimensions are the rows and columns of a kernel's grid; its planes count
/// through the others, of which the last moves fastest.
struct StridedCopyPlan {
  static constexpr int mostOuter = 6;

  void* destination = nullptr;
  const void* source = nullptr;
  std::int64_t bytesPerElement = 0;
  std::int64_t planes = 1;
  StridedDimension outer[mostOuter];
  int outerDimensions = 0;
  StridedDimension rows, columns;

  KernelGrid grid() const { return {planes, rows.extent, columns.extent}; }
};

/// Joins dimensions that are contiguous in both arrays. Throws ArgumentError if more than 8 remain.
/// A copy of no elements has a grid of no points.
StridedCopyPlan planStridedCopy(const StridedCopy& copy);

/// Copies one element at each point of the plan's grid; sizeof(Element) is its bytesPerElement.
template <class Element>
struct CopyStrided {
  StridedCopyPlan plan;

  TORCHETTE_KERNEL void operator()(std::int64_t plane, std::int64_t row,
                                   std::int64_t column) const {
    std::int64_t to = row * plan.rows.destinationStride + column * plan.columns.destinationStride;
    std::int64_t from = row * plan.rows.sourceStride + column * plan.columns.sourceStride;
    for (int i = plan.outerDimensions - 1; i >= 0; --i) {
      const StridedDimension& dimension = plan.outer[i];
      const std::int64_t index = plane % dimension.extent;
      plane /= dimension.extent;
      to += index * dimension.destinationStride;
      from += index * dimension.sourceStride;
    }
    static_cast<Element*>(plan.destination)[to] = static_cast<const Element*>(plan.source)[from];
  }
};

}  // namespace torchette::cuda

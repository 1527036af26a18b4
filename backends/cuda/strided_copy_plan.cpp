// Finding the dimensions that a strided copy needs.
#include "backends/cuda/strided_copy_plan.h"

#include <algorithm>
#include <string>

#include "runtime/errors.h"

namespace torchette::cuda {

namespace {

/// Whether stepping past the end of `inner` is one step of `outer`, in both arrays.
bool canJoin(const StridedDimension& outer, const StridedDimension& inner) {
  return outer.destinationStride == inner.extent * inner.destinationStride &&
         outer.sourceStride == inner.extent * inner.sourceStride;
}

/// Outermost first, without dimensions of one element.
std::vector<StridedDimension> joinedDimensions(const StridedCopy& copy) {
  std::vector<StridedDimension> joined;
  for (std::size_t i = 0; i < copy.extents.size(); ++i) {
    const StridedDimension dimension{copy.extents[i], copy.destinationStrides[i],
                                     copy.sourceStrides[i]};
    if (dimension.extent == 1) continue;
    if (joined.empty() || !canJoin(joined.back(), dimension)) {
      joined.push_back(dimension);
    } else {
      joined.back() = {joined.back().extent * dimension.extent, dimension.destinationStride,
                       dimension.sourceStride};
    }
  }
  return joined;
}

StridedDimension popInnermost(std::vector<StridedDimension>& dimensions) {
  if (dimensions.empty()) return {};
  const auto innermost = dimensions.back();
  dimensions.pop_back();
  return innermost;
}

}  // namespace

StridedCopyPlan planStridedCopy(const StridedCopy& copy) {
  auto dimensions = joinedDimensions(copy);
  StridedCopyPlan plan;
  plan.destination = copy.destination;
  plan.source = copy.source;
  plan.bytesPerElement = copy.bytesPerElement;
  if (copy.extents.empty()) plan.planes = 0;
  plan.columns = popInnermost(dimensions);
  plan.rows = popInnermost(dimensions);
  if (std::ssize(dimensions) > StridedCopyPlan::mostOuter) {
    throw ArgumentError("copyStrided", std::to_string(dimensions.size() + 2) +
                                           " dimensions that cannot be joined, at most " +
                                           std::to_string(StridedCopyPlan::mostOuter + 2) +
                                           " are supported; copy in slices");
  }
  plan.outerDimensions = static_cast<int>(dimensions.size());
  std::ranges::copy(dimensions, plan.outer);
  for (const auto& dimension : dimensions) plan.planes *= dimension.extent;
  return plan;
}

}  // namespace torchette::cuda

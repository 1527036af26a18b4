// What every operation gives on fixed operands, for comparing backends with each other.
#pragma once

#include <string>
#include <vector>

#include "backends/backend.h"

namespace torchette::testing {

struct OperationResult {
  std::string name;
  std::vector<double> values;  ///< exactly what the operation wrote or returned
};

/// One for each operation and variant; sizes are such that kernels run at many points and sums have
/// many chunks.
std::vector<OperationResult> resultsOfAllOperations(Backend& backend);

/// Of im2col, col2im and pooling, for windows of many kinds: what all backends compute with the
/// same additions in the same order.
std::vector<OperationResult> resultsOfWindowOperations(Backend& backend);

}  // namespace torchette::testing

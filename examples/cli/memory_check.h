// Whether a training run will fit into --memory-limit, found out before it takes any memory.
#pragma once

#include "examples/cli/train_options.h"

namespace torchette::cli {

/// Does nothing without a limit. Otherwise trains one batch on the dry backend and makes the sample
/// sheet, if there is to be one; throws MemoryError if the peak is past the limit, naming what
/// would fit: the strategy sample, no sample sheet, or, unless a run is continued, the largest
/// batch.
void requireTrainingFits(const TrainOptions& options);

}  // namespace torchette::cli

// A memory plan for a network, from a run on the dry backend.
#pragma once

#include "examples/cli/inspection_run.h"
#include "layers/memory_plan.h"

namespace torchette::cli {

/// Builds the network once more on the dry backend, records one inference, and plans it.
nn::ArenaPlan planFor(const InspectionOptions& options);

}  // namespace torchette::cli

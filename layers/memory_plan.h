// Memory plans: all intermediate tensors of a network's inference in one arena, each where nothing
// that is still needed lies.
#pragma once

#include <vector>

#include "layers/arena_plan.h"
#include "layers/module.h"

namespace torchette::nn {

/// Plans one inference from the lifetimes that a recorded forward gave. `recorded` is the network
/// that ran, or one like it; what its tensors hold besides parameters and state is planned, except
/// what its output looks at, which the caller holds. Inputs, parameters and temporary copies are
/// not planned.
ArenaPlan planInference(Module& recorded, const std::vector<StorageLifetime>& lifetimes);

/// Puts the network's tensors into one arena as planned; their content is lost. They do not fit
/// inputs larger than the planned one: forward then throws StateError. Throws StateError if a
/// module is in training mode (call evaluate() first) or memory is shared already, and MemoryError
/// if the arena cannot be had; nothing has changed then. training(), backward(),
/// setWorkspaceStrategy() and to() are refused while the plan is in use.
void applyMemoryPlan(Module& network, const ArenaPlan& plan);

/// Gives each planned tensor a storage of its own again, empty until the next forward. Leaves what
/// has no plan as it is.
void removeMemoryPlan(Module& network);

}  // namespace torchette::nn

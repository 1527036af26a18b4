// Sharing of workspaces: all convolutions of a network use one finput and one fgradInput, so that
// it holds the largest instead of the sum. For inference only.
#pragma once

#include <set>
#include <string>

#include "layers/module.h"

namespace torchette::nn {

struct WorkspaceSharingOptions {
  std::set<std::string, std::less<>> fields = {"finput", "fgradInput"};
  /// false lets a shared network train, with gradients that are silently wrong: for showing what
  /// the guards prevent, never for use.
  bool isGuarded = true;
};

/// Workspaces that hold the same kind of content come to look at one storage: those of the same
/// field, layer type and strategy, so that a plane of ones is never mixed with columns. Survives
/// clearState(). Throws StateError if a module is in training mode (call evaluate() first) or
/// shares already.
///
/// Why not in training: with the strategy batch, the weight gradient reads the columns that forward
/// left in finput, and the next convolution has overwritten them. training(),
/// setWorkspaceStrategy() and to() are refused while shared.
void shareWorkspaces(Module& network, const WorkspaceSharingOptions& options = {});

/// Every convolution has workspaces of its own again, empty until the next forward.
void unshareWorkspaces(Module& network);

}  // namespace torchette::nn

// WorkspaceStrategy: how many columns a convolution holds at once, and whether they survive until
// backward.
#pragma once

#include <string_view>
#include <vector>

namespace torchette::nn {

/// N samples, K = planes * kH * kW, P = output pixels.
enum class WorkspaceStrategy {
  batch,   ///< finput and fgradInput N x K x P; finput is kept from forward for the weight gradient
  sample,  ///< finput K x P, recomputed in backward; fgradInput oH x oW, a plane of ones for the
           ///< bias
};

/// "batch", ...
std::string_view nameOf(WorkspaceStrategy strategy);
/// Inverse of nameOf; throws ArgumentError that lists the names.
WorkspaceStrategy workspaceStrategyNamed(std::string_view name);
const std::vector<WorkspaceStrategy>& allWorkspaceStrategies();

/// What a backend uses unless told otherwise: Torch7's CPU code works by batch, its GPU code by
/// sample.
WorkspaceStrategy defaultWorkspaceStrategy(std::string_view backendName);

}  // namespace torchette::nn

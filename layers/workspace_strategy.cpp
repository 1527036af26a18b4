#include "layers/workspace_strategy.h"

#include <string>

#include "runtime/errors.h"

namespace torchette::nn {

std::string_view nameOf(WorkspaceStrategy strategy) {
  return strategy == WorkspaceStrategy::batch ? "batch" : "sample";
}

WorkspaceStrategy workspaceStrategyNamed(std::string_view name) {
  std::string names;
  for (const auto strategy : allWorkspaceStrategies()) {
    if (nameOf(strategy) == name) return strategy;
    names += (names.empty() ? "" : ", ") + std::string(nameOf(strategy));
  }
  throw ArgumentError("", "there is no workspace strategy '" + std::string(name) +
                              "'; the strategies are " + names);
}

const std::vector<WorkspaceStrategy>& allWorkspaceStrategies() {
  static const std::vector<WorkspaceStrategy> strategies = {WorkspaceStrategy::batch,
                                                            WorkspaceStrategy::sample};
  return strategies;
}

WorkspaceStrategy defaultWorkspaceStrategy(std::string_view backendName) {
  return backendName == "cpu" ? WorkspaceStrategy::batch : WorkspaceStrategy::sample;
}

}  // namespace torchette::nn

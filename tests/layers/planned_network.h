// Memory plans for tests, from a run that takes no memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layers/memory_plan.h"

namespace torchette::testing {

/// A network and the input it is planned for. `model` is a built-in name or an expression; the
/// strategy is the backend's default if empty.
struct PlannedCase {
  std::string model;
  Shape input;
  std::optional<nn::WorkspaceStrategy> strategy = std::nullopt;
};

/// The network in evaluate mode; the same parameters each time.
std::unique_ptr<nn::Module> networkOf(const PlannedCase& planned,
                                      const std::shared_ptr<Backend>& backend);

/// The plan of one inference on a backend of that name.
nn::ArenaPlan planOf(const PlannedCase& planned, std::string_view backendName, int lanes);

/// The storage that planned tensors of the network lie in; null if none does.
const Storage* arenaOf(nn::Module& network);

/// Small networks of every kind of layer, with lenet and autoencoder, in all strategies.
std::vector<PlannedCase> plannedCases();

}  // namespace torchette::testing

// One run of a network, real or dry, and everything that it tells about memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "layers/workspace_strategy.h"
#include "runtime/ledger.h"
#include "runtime/shape.h"

namespace torchette::testing {

/// What a run is asked to do. It goes through the batches twice.
struct Scenario {
  std::string model;  ///< a built-in name or an expression
  Shape sample;       ///< planes x height x width
  std::vector<std::int64_t> batches;
  bool isTraining = true;
  std::optional<nn::WorkspaceStrategy> strategy = std::nullopt;  ///< the backend's default if empty
  std::string optimizer = "sgd";  ///< "", "sgd" (with momentum) or "adam"
  bool sharesWorkspaces = false;  ///< only without training
};

/// As text, one line each, so that a difference can be read.
struct MemoryCourse {
  std::vector<std::string> fields;  ///< of each module: shape, type, bytes, storage
  std::vector<std::string> events;  ///< of the ledger
  std::vector<Holding> live, peak;
  std::int64_t heldBytes = 0, upperBoundBytes = 0;
  std::int64_t peakBytes = 0;
  std::int64_t bytesLeft = 0;  ///< after the network and the backend are gone
};

enum class Machine { real, dry };

/// Runs on the backend of that name with two lanes, or on the dry backend that stands for it, over
/// a ledger of its own.
MemoryCourse runOn(Machine machine, const std::string& backendName, const Scenario& scenario);

/// Runs the scenario on both machines and checks that they tell the same.
void checkEstimate(const std::string& backendName, const Scenario& scenario);

}  // namespace torchette::testing

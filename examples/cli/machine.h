// Machine: a backend, the allocators under it, and the ledger that records what they give out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/registry.h"
#include "examples/cli/process_memory.h"
#include "runtime/ledger.h"

namespace torchette::cli {

struct MachineOptions {
  std::string backend = "cpu";
  std::optional<std::int64_t> memoryLimitBytes = {};
  int threads = 0;  ///< lanes; 0: the backend's default
  /// Stand in for the backend with one that computes nothing and takes no memory.
  bool isEstimate = false;
};

struct Machine {
  std::shared_ptr<Ledger> ledger;
  std::shared_ptr<Backend> backend;
  std::optional<ResidentMemory> residentBefore;  ///< once the machine was there
};

/// The backend's device below, tracking over it, and the limit, if there is one, on top. Throws
/// ArgumentError, listing the names, for a backend that there is not, and StateError with the
/// reason for one that is not available.
Machine makeMachine(const MachineOptions& options);

/// What `torchette backends` lists.
struct BackendSummary {
  BackendStatus status;
  int lanes = 0;  ///< 0 unless available
};

/// All backends of the project, with the lanes they have by default.
std::vector<BackendSummary> summariseBackends();

}  // namespace torchette::cli

// The dry backend: runs real layer code without computing or committing anything, so that its
// ledger is an estimate of another backend's.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "backends/operation_observer.h"

namespace torchette {

/// Bytes that a backend holds from its construction on, whatever runs on it.
struct FixedAllocation {
  std::string owner;
  std::string field;
  std::int64_t bytes = 0;
};

/// What decides how much memory a run takes on a backend: its name (the layers' default workspace
/// strategy), its lanes, and what it holds itself.
struct BackendProfile {
  std::string name;
  int lanes = 1;
  std::vector<FixedAllocation> allocations;
};

/// The profile of "cpu", "cuda" or "simulated", with default options besides; `lanes` >= 1, or 0
/// for the backend's own choice on this machine. Throws ArgumentError that lists the names.
BackendProfile profileOf(std::string_view name, int lanes = 0);

/// A backend that looks like the profile's to layers and to the ledger. `allocator` should draw on
/// a DryDevice. The observer, if there is one, is told of every operation; it should also watch the
/// device (RecordingDevice) to be told of copies.
std::shared_ptr<Backend> makeDryBackend(std::shared_ptr<Allocator> allocator,
                                        const BackendProfile& profile,
                                        std::shared_ptr<OperationObserver> observer = nullptr);

}  // namespace torchette

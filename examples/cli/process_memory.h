// ProcessMemory: what the operating system says this program occupies, against what a ledger says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace torchette::cli {

/// Bytes of the whole program that are in main memory.
struct ResidentMemory {
  std::int64_t fileBytes = 0;   ///< mapped from files: the program and its libraries
  std::int64_t otherBytes = 0;  ///< tensors, OpenBLAS's buffers, the heap, stacks

  std::int64_t bytes() const { return fileBytes + otherBytes; }
};

/// Empty where the system does not tell.
std::optional<ResidentMemory> measureResidentMemory();

struct ProcessMemory {
  ResidentMemory before;  ///< when there was no network yet
  ResidentMemory now;
  std::int64_t trackedBytes = 0;  ///< what a ledger counts as live in host memory now

  /// The part that no allocator of torchette gave out. Tracked bytes that were never written are
  /// not resident, so that the difference alone could be negative.
  std::int64_t outsideBytes() const {
    return std::max<std::int64_t>(0, now.bytes() - trackedBytes);
  }
  /// What the run took beside its tensors; less than nothing where those were not all written.
  std::int64_t takenBesideBytes() const {
    return now.otherBytes - before.otherBytes - trackedBytes;
  }
};

}  // namespace torchette::cli

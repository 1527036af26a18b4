// ProcessMemory: what the operating system says this program occupies.
#pragma once

#include <cstdint>
#include <optional>

namespace torchette::cli {

struct ProcessMemory {
  std::int64_t residentBytes = 0;  ///< of the whole program, in main memory now
  /// The part that no allocator of torchette gave out: the program itself, libraries, OpenBLAS's
  /// buffers, the heap of everything that is not a tensor.
  std::int64_t outsideBytes = 0;
};

/// `trackedBytes` are those that a ledger counts as live in host memory. Empty where the system
/// does not tell.
std::optional<ProcessMemory> measureProcessMemory(std::int64_t trackedBytes);

}  // namespace torchette::cli

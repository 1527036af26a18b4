// Reads /proc/self/statm: sizes in pages, of which the second is the resident one.
#include "examples/cli/process_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace torchette::cli {

std::optional<ProcessMemory> measureProcessMemory(std::int64_t trackedBytes) {
  std::ifstream statm("/proc/self/statm");
  std::int64_t totalPages = 0;
  std::int64_t residentPages = 0;
  if (!(statm >> totalPages >> residentPages)) return std::nullopt;
  const std::int64_t residentBytes = residentPages * sysconf(_SC_PAGESIZE);
  // Tracked bytes that were never written are not resident.
  return ProcessMemory{residentBytes, std::max<std::int64_t>(0, residentBytes - trackedBytes)};
}

}  // namespace torchette::cli

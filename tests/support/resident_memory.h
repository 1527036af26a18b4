// How much of the machine's memory this program occupies.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace torchette::testing {

/// Resident bytes of the whole program; Linux tells.
inline std::int64_t residentBytes() {
  std::int64_t pages = 0, residentPages = 0;
  std::ifstream("/proc/self/statm") >> pages >> residentPages;
  return residentPages * sysconf(_SC_PAGESIZE);
}

}  // namespace torchette::testing

// Reads /proc/self/status, whose lines look like "RssFile:      5120 kB".
#include "examples/cli/process_memory.h"

#include <fstream>
#include <limits>
#include <map>
#include <string>

namespace torchette::cli {

std::optional<ResidentMemory> measureResidentMemory() {
  std::ifstream status("/proc/self/status");
  std::map<std::string, std::int64_t> kibibytes;
  for (std::string key; status >> key;) {
    if (key.starts_with("Rss")) status >> kibibytes[key];
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  if (!kibibytes.contains("RssAnon:") || !kibibytes.contains("RssFile:")) return std::nullopt;
  return ResidentMemory{
      .fileBytes = 1024 * kibibytes["RssFile:"],
      .otherBytes = 1024 * (kibibytes["RssAnon:"] + kibibytes["RssShmem:"]),
  };
}

}  // namespace torchette::cli

// Appending lines.
#include "examples/training/log.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "examples/training/atomic_file.h"
#include "examples/training/epoch_record_json.h"
#include "runtime/errors.h"

namespace torchette::training {

std::string toJson(const EpochRecord& record) { return toDocument(record).dump(); }

TrainingLog::TrainingLog(std::filesystem::path path, const std::vector<EpochRecord>& history)
    : path_(std::move(path)) {
  std::string lines;
  for (const auto& record : history) lines += toJson(record) + "\n";
  replaceFile(path_, lines);
}

void TrainingLog::append(const EpochRecord& record) {
  std::ofstream file(path_, std::ios::app | std::ios::binary);
  file << toJson(record) + "\n" << std::flush;
  if (!file) throw FileError(path_.string(), "the log cannot be written");
}

}  // namespace torchette::training

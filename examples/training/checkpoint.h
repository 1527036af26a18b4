// Checkpoint: the complete state of a training run between two epochs, and its file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "examples/training/epoch_record.h"
#include "examples/training/run_identity.h"
#include "runtime/shape.h"

namespace torchette::training {

/// Values of one tensor, in row-major order.
struct SavedTensor {
  std::string path;   ///< of its owner, e.g. "net/bn1"
  std::string field;  ///< e.g. "running_mean"
  Shape shape;
  std::vector<float> values;
};

struct Checkpoint {
  RunIdentity identity;
  std::vector<EpochRecord> history;  ///< one per finished epoch
  std::vector<float> parameters;     ///< flat, in Torch7's order
  std::vector<SavedTensor> moduleState;
  std::int64_t optimizerSteps = 0;
  std::vector<SavedTensor> optimizerState;
  std::string generator;  ///< Generator::state()
};

/// Replaces the file as a whole: after a failure or a kill at any moment `path` holds either the
/// old checkpoint or the new one. Throws FileError.
void writeCheckpoint(const Checkpoint& checkpoint, const std::filesystem::path& path);

/// Throws FileError if the file is missing, no checkpoint, of a newer format, truncated or damaged.
Checkpoint readCheckpoint(const std::filesystem::path& path);

}  // namespace torchette::training

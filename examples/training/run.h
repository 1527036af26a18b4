// A whole training run: epochs, checkpoint, log and sample sheet in the right order.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "examples/training/trainer.h"

namespace torchette::training {

/// Where a run leaves its results; an empty path means none.
struct RunFiles {
  std::filesystem::path checkpoint;  ///< replaced after each epoch
  std::filesystem::path log;         ///< a line per epoch
  std::filesystem::path samples;     ///< autoencoders: a PNG, written at the end
};

struct RunCallbacks {
  ProgressCallback progress;                          ///< after each batch
  std::function<void(const EpochRecord&)> epochDone;  ///< once checkpoint and log hold the epoch
};

enum class RunResult { finished, interrupted };

/// Runs epochs until trainer.options().epochs are finished or `stop` becomes true; then
/// trainer.epoch() tells how many are finished, and the checkpoint holds just those. Throws
/// before the first epoch FileError if a file cannot be written and what
/// requireSampleSheetPossible() throws; later what Trainer throws.
RunResult run(Trainer& trainer, const RunFiles& files, const RunCallbacks& callbacks = {},
              const std::atomic<bool>* stop = nullptr);

}  // namespace torchette::training

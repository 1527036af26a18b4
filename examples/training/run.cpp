// The order matters: an epoch is in the checkpoint before it is in the log, from which a resumed
// run drops what the checkpoint does not hold.
#include "examples/training/run.h"

#include <optional>

#include "examples/training/atomic_file.h"
#include "examples/training/log.h"
#include "examples/training/samples.h"

namespace torchette::training {

namespace {

void requirePossible(const Trainer& trainer, const RunFiles& files) {
  for (const auto& path : {files.checkpoint, files.log, files.samples}) {
    if (!path.empty()) requireReplaceable(path);
  }
  if (!files.samples.empty()) requireSampleSheetPossible(trainer);
}

}  // namespace

RunResult run(Trainer& trainer, const RunFiles& files, const RunCallbacks& callbacks,
              const std::atomic<bool>* stop) {
  requirePossible(trainer, files);
  std::optional<TrainingLog> log;
  if (!files.log.empty()) log.emplace(files.log, trainer.history());
  while (trainer.epoch() < trainer.options().epochs) {
    const auto record = trainer.runEpoch(callbacks.progress, stop);
    if (!record) return RunResult::interrupted;
    if (!files.checkpoint.empty()) writeCheckpoint(trainer.checkpoint(), files.checkpoint);
    if (log) log->append(*record);
    if (callbacks.epochDone) callbacks.epochDone(*record);
  }
  if (!files.samples.empty()) writeSampleSheet(trainer, files.samples);
  return RunResult::finished;
}

}  // namespace torchette::training

// Estimating the peak of a training run, and what would fit instead.
#include "examples/cli/memory_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/cli/byte_size.h"
#include "examples/cli/inspection_run.h"
#include "examples/cli/train_images.h"
#include "examples/training/samples.h"
#include "examples/training/task.h"
#include "examples/training/trainer.h"
#include "runtime/errors.h"

namespace torchette::cli {

namespace {

/// What of a run can be changed to make it need less.
struct Variation {
  std::int64_t batch = 0;
  nn::WorkspaceStrategy strategy = nn::WorkspaceStrategy::batch;
  bool hasSampleSheet = false;
};

/// The peaks of one run's variations.
class PeakEstimator {
 public:
  explicit PeakEstimator(const TrainOptions& options) : options_(options) {
    const Machine machine = dryMachine();
    const nn::Context context{machine.backend};
    auto model = makeModelFromCommandLine(options.model, context);
    images_ = loadImages(options, model);
    training_ = trainingOptions(model, context);
    asked_ = {
        std::min(training_.batch, images_.training.count),
        options.workspaceStrategy.value_or(nn::defaultWorkspaceStrategy(machine.backend->name())),
        !options.files.samples.empty()};
  }

  /// What the command line asks for.
  const Variation& asked() const { return asked_; }

  /// Bytes of an epoch of a single batch, its test, and the sample sheet.
  std::int64_t peakBytes(const Variation& variation) const {
    const Machine machine = dryMachine();
    const nn::Context context{machine.backend};
    auto model = makeModelFromCommandLine(options_.model, context);
    model.network->setWorkspaceStrategy(variation.strategy);
    auto images = images_;
    images.training.limit(variation.batch);
    images.test.limit(std::max(variation.batch, training::mostSampleImages));
    auto training = training_;
    training.batch = variation.batch;
    training::Trainer trainer(context, model, images, training, machine.ledger);
    trainer.runEpoch();
    if (variation.hasSampleSheet) training::reconstructSamples(trainer);
    return machine.ledger->peakBytes();
  }

  /// The largest batch that is not above the one asked for and has a peak within the limit; 0 if
  /// none has.
  std::int64_t largestBatch(std::int64_t limitBytes) const {
    auto variation = asked_;
    std::int64_t fits = 0, tooLarge = asked_.batch + 1;
    while (tooLarge - fits > 1) {
      variation.batch = fits + (tooLarge - fits) / 2;
      (peakBytes(variation) <= limitBytes ? fits : tooLarge) = variation.batch;
    }
    return fits;
  }

 private:
  Machine dryMachine() const {
    return makeMachine({.backend = options_.machine.backend,
                        .threads = options_.machine.threads,
                        .isEstimate = true});
  }

  training::TrainingOptions trainingOptions(nn::Model& model, const nn::Context& context) const {
    if (!options_.resume.empty()) {
      return options_.training.over(training::readCheckpoint(options_.resume).identity.options);
    }
    return options_.training.over(training::objectiveOf(model, context, images_));
  }

  const TrainOptions& options_;
  data::ImageData images_;
  training::TrainingOptions training_;
  Variation asked_;
};

/// The leaner variations of what is asked for, each with the words of the command line for it. A
/// run that is continued keeps its batch.
std::vector<std::pair<std::string, Variation>> leanerVariations(const PeakEstimator& estimator,
                                                                const TrainOptions& options) {
  const auto& asked = estimator.asked();
  std::vector<std::pair<std::string, Variation>> variations;
  if (asked.strategy != nn::WorkspaceStrategy::sample) {
    variations.emplace_back("--workspace sample", asked).second.strategy =
        nn::WorkspaceStrategy::sample;
  }
  if (asked.hasSampleSheet) {
    variations.emplace_back("leaving out --samples", asked).second.hasSampleSheet = false;
  }
  if (!options.resume.empty()) return variations;
  const auto batch = estimator.largestBatch(*options.machine.memoryLimitBytes);
  if (batch > 0) {
    variations.emplace_back(fmt::format("--batch {}", batch), asked).second.batch = batch;
  }
  return variations;
}

std::string whatWouldFit(const PeakEstimator& estimator, const TrainOptions& options) {
  std::string text;
  for (const auto& [words, variation] : leanerVariations(estimator, options)) {
    const auto bytes = estimator.peakBytes(variation);
    if (bytes > *options.machine.memoryLimitBytes) continue;
    text += fmt::format("; {} would need {}", words, groupedDigits(bytes));
  }
  return text.empty() ? "; nothing leaner fits, so raise the limit" : text;
}

}  // namespace

void requireTrainingFits(const TrainOptions& options) {
  if (!options.machine.memoryLimitBytes) return;
  const auto limitBytes = *options.machine.memoryLimitBytes;
  const PeakEstimator estimator(options);
  const auto peakBytes = estimator.peakBytes(estimator.asked());
  if (peakBytes <= limitBytes) return;
  throw MemoryError("",
                    fmt::format("training {} with a batch of {} would need {} bytes at its peak, "
                                "and the limit is {}{}",
                                options.model, estimator.asked().batch, groupedDigits(peakBytes),
                                groupedDigits(limitBytes), whatWouldFit(estimator, options)));
}

}  // namespace torchette::cli

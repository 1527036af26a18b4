// Estimating the peak of a training run, and what would fit instead.
#include "examples/cli/memory_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/cli/byte_size.h"
#include "examples/cli/inspection_run.h"
#include "examples/cli/train_images.h"
#include "examples/training/task.h"
#include "examples/training/trainer.h"
#include "runtime/errors.h"

namespace torchette::cli {

namespace {

/// The peaks of one run's variations.
class PeakEstimator {
 public:
  explicit PeakEstimator(const TrainOptions& options) : options_(options) {
    const Machine machine = dryMachine();
    const nn::Context context{machine.backend};
    auto model = makeModelFromCommandLine(options.model, context);
    images_ = loadImages(options, model);
    training_ = trainingOptions(model, context);
    strategy_ =
        options.workspaceStrategy.value_or(nn::defaultWorkspaceStrategy(machine.backend->name()));
  }

  std::int64_t batch() const { return std::min(training_.batch, images_.training.count); }
  nn::WorkspaceStrategy strategy() const { return strategy_; }

  /// Bytes of an epoch of a single batch, and its test.
  std::int64_t peakBytes(std::int64_t batch, nn::WorkspaceStrategy strategy) const {
    const Machine machine = dryMachine();
    const nn::Context context{machine.backend};
    auto model = makeModelFromCommandLine(options_.model, context);
    model.network->setWorkspaceStrategy(strategy);
    auto images = images_;
    images.training.limit(batch);
    images.test.limit(batch);
    auto training = training_;
    training.batch = batch;
    training::Trainer(context, model, images, training, machine.ledger).runEpoch();
    return machine.ledger->peakBytes();
  }

  /// The largest batch up to batch() whose peak is within the limit; 0 if none is.
  std::int64_t largestBatch(std::int64_t limitBytes) const {
    std::int64_t fits = 0, tooLarge = batch() + 1;
    while (tooLarge - fits > 1) {
      const auto middle = fits + (tooLarge - fits) / 2;
      (peakBytes(middle, strategy_) <= limitBytes ? fits : tooLarge) = middle;
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
  nn::WorkspaceStrategy strategy_ = nn::WorkspaceStrategy::batch;
};

std::string whatWouldFit(const PeakEstimator& estimator, std::int64_t limitBytes) {
  std::string text;
  const auto sampleBytes = estimator.peakBytes(estimator.batch(), nn::WorkspaceStrategy::sample);
  if (estimator.strategy() != nn::WorkspaceStrategy::sample && sampleBytes <= limitBytes) {
    text += fmt::format("; --workspace sample would need {}", groupedDigits(sampleBytes));
  }
  const auto batch = estimator.largestBatch(limitBytes);
  if (batch > 0) {
    text += fmt::format("; --batch {} would need {}", batch,
                        groupedDigits(estimator.peakBytes(batch, estimator.strategy())));
  }
  return text.empty() ? "; no batch fits, so raise the limit" : text;
}

}  // namespace

void requireTrainingFits(const TrainOptions& options) {
  if (!options.machine.memoryLimitBytes) return;
  const auto limitBytes = *options.machine.memoryLimitBytes;
  const PeakEstimator estimator(options);
  const auto peakBytes = estimator.peakBytes(estimator.batch(), estimator.strategy());
  if (peakBytes <= limitBytes) return;
  throw MemoryError("",
                    fmt::format("training {} with a batch of {} would need {} bytes at its peak, "
                                "and the limit is {}{}",
                                options.model, estimator.batch(), groupedDigits(peakBytes),
                                groupedDigits(limitBytes), whatWouldFit(estimator, limitBytes)));
}

}  // namespace torchette::cli

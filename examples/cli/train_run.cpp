// Preparing a training run, running it and reporting on it.
#include "examples/cli/train_run.h"

#include <fmt/format.h>

#include <utility>

#include "examples/cli/inspection_run.h"
#include "examples/cli/interruption.h"
#include "examples/cli/memory_check.h"
#include "examples/cli/progress_bar.h"
#include "examples/cli/report_format.h"
#include "examples/cli/standard_output.h"
#include "examples/cli/train_images.h"
#include "examples/cli/train_text.h"
#include "examples/training/task.h"
#include "layers/memory_plan.h"
#include "layers/workspace_sharing.h"
#include "runtime/errors.h"

namespace torchette::cli {

namespace {

/// The network is in training mode, so its own guards refuse, and say why and what to do instead.
void share(nn::Module& network, nn::MemorySharing sharing) {
  if (sharing == nn::MemorySharing::workspace) nn::shareWorkspaces(network);
  if (sharing == nn::MemorySharing::plan) nn::applyMemoryPlan(network, {});
}

/// Everything that one training run is made of.
class TrainSession {
 public:
  explicit TrainSession(const TrainOptions& options)
      : options_(options),
        resumed_(readResumed()),
        machine_(makeMachine(options.machine)),
        context_{machine_.backend, std::make_shared<Generator>(seed())},
        model_(makeModelFromCommandLine(options.model, context_)),
        images_(loadImages(options, model_)),
        keptIn_(options.resume) {
    model_.network->setWorkspaceStrategy(strategy());
    share(*model_.network, options.sharing);
    trainer_ = std::make_unique<training::Trainer>(context_, model_, images_, trainingOptions(),
                                                   machine_.ledger);
    if (resumed_) trainer_->restore(*resumed_, options.resume);
  }

  void run(const std::vector<std::string>& arguments) {
    say(introduction(facts()) + continuation());
    ProgressBar bar(epochs());
    const auto progress = [&](const training::Progress& done) {
      bar.show(done);
      inspectLastEpoch(done);
    };
    const auto epochDone = [&](const training::EpochRecord& record) {
      bar.clear();
      keptIn_ = options_.files.checkpoint;
      say(epochLine(record, epochs()) + "\n");
    };
    const auto result =
        training::run(*trainer_, options_.files, {progress, epochDone}, &stopRequest());
    bar.clear();
    if (result == training::RunResult::interrupted) {
      throw StateError("", interruptionText(arguments));
    }
    conclude();
  }

 private:
  std::optional<training::Checkpoint> readResumed() const {
    if (options_.resume.empty()) return std::nullopt;
    return training::readCheckpoint(options_.resume);
  }

  std::uint32_t seed() const {
    const auto usual =
        resumed_ ? resumed_->identity.options.seed : training::TrainingOptions{}.seed;
    return options_.training.seed.value_or(usual);
  }

  nn::WorkspaceStrategy strategy() const {
    return options_.workspaceStrategy.value_or(
        nn::defaultWorkspaceStrategy(machine_.backend->name()));
  }

  training::TrainingOptions trainingOptions() {
    if (resumed_) return options_.training.over(resumed_->identity.options);
    return options_.training.over(training::objectiveOf(model_, context_, images_));
  }

  std::int64_t epochs() const { return trainer_->options().epochs; }

  TrainFacts facts() {
    std::int64_t parameters = 0;
    for (const auto* tensor : model_.network->parameters().values) parameters += tensor->elements();
    return {.model = model_.name,
            .parameters = parameters,
            .backend = std::string(machine_.backend->name()),
            .threads = machine_.backend->lanes(),
            .workspace = std::string(nameOf(strategy())),
            .data = images_.name,
            .trainingImages = images_.training.count,
            .testImages = images_.test.count,
            .sampleShape = images_.training.sampleShape(),
            .options = trainer_->options()};
  }

  /// For people only.
  void say(const std::string& text) const {
    if (!options_.isJson) print(text);
  }

  std::string continuation() const {
    if (!resumed_) return "";
    if (trainer_->epoch() >= epochs()) {
      return fmt::format("all {} epochs of {} are done; ask for more with --epochs\n", epochs(),
                         options_.resume);
    }
    return fmt::format("continues {} after epoch {}\n", options_.resume, trainer_->epoch());
  }

  /// A whole training batch of the last epoch has just gone through the network: its tensors have
  /// the shapes of training, not those of the test that follows.
  void inspectLastEpoch(const training::Progress& progress) {
    if (options_.inspection.empty() || report_ || progress.epoch != epochs()) return;
    report_ = reportNow(progress.imagesDone);
  }

  MemoryReport reportNow(std::int64_t imagesInBatch) {
    return makeMemoryReport({.model = model_.name,
                             .backend = std::string(machine_.backend->name()),
                             .workspace = std::string(nameOf(strategy())),
                             .mode = "training",
                             .input = images_.training.sampleShape().inserted(0, imagesInBatch)},
                            *model_.network, machine_);
  }

  /// Gives the report the peak of the whole run.
  void completeReport() {
    if (!report_) report_ = reportNow(trainer_->options().batch);
    report_->peakBytes = machine_.ledger->peakBytes();
    report_->peakHoldings = machine_.ledger->peakHoldings();
  }

  void conclude() {
    const bool isInspected = !options_.inspection.empty();
    if (isInspected) completeReport();
    if (options_.isJson) {
      print(resultAsJson(facts(), trainer_->history(), isInspected ? &*report_ : nullptr));
      return;
    }
    const auto& [checkpoint, log, samples] = options_.files;
    if (!checkpoint.empty()) print("checkpoint in " + checkpoint.string() + "\n");
    if (!samples.empty()) print("inputs and reconstructions in " + samples.string() + "\n");
    if (isInspected) print("\n" + reportFormatNamed(options_.inspection).render(*report_));
  }

  std::string interruptionText(const std::vector<std::string>& arguments) const {
    const auto text = fmt::format("interrupted in epoch {}; ", trainer_->epoch() + 1);
    if (!keptIn_.empty()) return text + "continue with: " + commandToContinue(arguments, keptIn_);
    return text + (trainer_->epoch() == 0 ? "no epoch is finished, so nothing is kept"
                                          : "nothing is kept, as there was no --checkpoint");
  }

  const TrainOptions& options_;
  std::optional<training::Checkpoint> resumed_;
  Machine machine_;
  nn::Context context_;
  nn::Model model_;
  data::ImageData images_;
  std::filesystem::path keptIn_;  ///< the checkpoint that holds what is finished; empty: none
  std::unique_ptr<training::Trainer> trainer_;
  std::optional<MemoryReport> report_;
};

}  // namespace

void runTraining(const TrainOptions& options, const std::vector<std::string>& arguments) {
  requireTrainingFits(options);
  TrainSession(options).run(arguments);
}

}  // namespace torchette::cli

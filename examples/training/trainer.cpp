// The training loop.
#include "examples/training/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "examples/training/optimizer_choice.h"
#include "examples/training/run_identity.h"
#include "examples/training/task.h"
#include "examples/training/training_state.h"
#include "runtime/errors.h"

namespace torchette::training {

namespace {

/// Passes valid options on, so that nothing is built from others.
const TrainingOptions& valid(const TrainingOptions& options) {
  requireValid(options);
  return options;
}

/// How many rows of `scores` (batch x classes) are largest at their label. No score, not even NaN,
/// counts as larger than NaN, so a row that begins with NaN chooses class 0.
std::int64_t countCorrect(const std::vector<float>& scores,
                          const std::vector<std::int64_t>& labels) {
  const auto classes = static_cast<std::ptrdiff_t>(scores.size() / labels.size());
  std::int64_t correct = 0;
  auto row = scores.begin();
  for (const auto label : labels) {
    correct += std::max_element(row, row + classes) - row == label ? 1 : 0;
    row += classes;
  }
  return correct;
}

bool isRaised(const std::atomic<bool>* stop) { return stop != nullptr && stop->load(); }

}  // namespace

Trainer::Trainer(nn::Context context, nn::Model& model, const data::ImageData& images,
                 const TrainingOptions& options, std::shared_ptr<Ledger> ledger)
    : context_(std::move(context)),
      model_(model),
      images_(images),
      options_(valid(options)),
      ledger_(std::move(ledger)),
      objective_(objectiveOf(model, context_, images)),
      criterion_(makeCriterion(context_, *model.network, objective_)),
      optimizer_(makeOptimizer(context_, options)),
      flat_(model.network->getParameters()),
      data_(identityOf(images)),
      trainingBatches_(images.training, context_.backend->allocator(), options.batch),
      testBatches_(images.test, context_.backend->allocator(), options.batch) {
  if (flat_.parameters.isEmpty()) {
    throw ArgumentError(model.name, "the network has no parameters, so there is nothing to train");
  }
}

std::optional<EpochRecord> Trainer::runEpoch(const ProgressCallback& progress,
                                             const std::atomic<bool>* stop) {
  requireBetweenEpochs();
  isInsideEpoch_ = true;
  EpochRecord record;
  record.epoch = epoch() + 1;
  if (!trainOnce(record, progress, stop) || !test(record, stop)) return std::nullopt;
  record.peakBytes = ledger_->peakBytes();
  history_.push_back(record);
  isInsideEpoch_ = false;
  return record;
}

/// False if `stop` was raised. Fills in loss and times.
bool Trainer::trainOnce(EpochRecord& record, const ProgressCallback& progress,
                        const std::atomic<bool>* stop) {
  const auto begin = std::chrono::steady_clock::now();
  const auto total = images_.training.count;
  network().training();
  trainingBatches_.shuffle(*context_.generator);
  double lossSum = 0;
  std::int64_t done = 0;
  for (std::int64_t batch = 0; batch < trainingBatches_.count(); ++batch) {
    if (isRaised(stop)) return false;
    trainingBatches_.load(batch);
    const auto batchImages = trainingBatches_.images().size(0);
    const double loss = trainBatch();
    done += batchImages;
    if (!std::isfinite(loss)) failAt(done);
    lossSum += loss * static_cast<double>(batchImages);
    record.loss = lossSum / static_cast<double>(done);
    if (progress) progress({record.epoch, done, total, record.loss});
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  record.seconds = time.count();
  record.imagesPerSecond = static_cast<double>(total) / time.count();
  return true;
}

/// The loss of the batch that is loaded. Steps only if it is a finite number.
double Trainer::trainBatch() {
  const auto& input = trainingBatches_.images();
  ledger_->beginPhase("forward");
  const auto& output = network().forward(input).tensor();
  const auto target = targetFor(trainingBatches_, output);
  const double loss = criterion_->forward(output, target);
  if (!std::isfinite(loss)) return loss;
  ledger_->beginPhase("backward");
  flat_.gradParameters.zero();
  network().backward(input, criterion_->backward(output, target));
  ledger_->beginPhase("update");
  optimizer_->step(flat_.parameters, flat_.gradParameters);
  return loss;
}

/// False if `stop` was raised. Fills in testAccuracy or testError.
bool Trainer::test(EpochRecord& record, const std::atomic<bool>* stop) {
  ledger_->beginPhase("evaluate");
  network().evaluate();
  double sum = 0;
  for (std::int64_t batch = 0; batch < testBatches_.count(); ++batch) {
    if (isRaised(stop)) return false;
    testBatches_.load(batch);
    sum += testBatch(network().forward(testBatches_.images()).tensor());
  }
  const double mean = sum / static_cast<double>(images_.test.count);
  (objective_ == nn::Objective::classification ? record.testAccuracy : record.testError) = mean;
  return true;
}

/// Images recognised, or the sum over the images of their errors.
double Trainer::testBatch(const Tensor& output) {
  if (objective_ == nn::Objective::reconstruction) {
    const auto images = static_cast<double>(testBatches_.images().size(0));
    return criterion_->forward(output, targetFor(testBatches_, output)) * images;
  }
  hostOutput_.resize(static_cast<std::size_t>(output.elements()));
  const Tensor scores = output.contiguous();
  scores.device().copyToHost(hostOutput_.data(), scores.data<float>(), scores.bytes());
  return static_cast<double>(countCorrect(hostOutput_, testBatches_.hostLabels()));
}

Tensor Trainer::targetFor(const data::Batches& batches, const Tensor& output) const {
  if (objective_ == nn::Objective::classification) return batches.labels();
  return batches.images().view(output.shape());
}

void Trainer::failAt(std::int64_t imagesDone) const {
  throw StateError("training", "the loss is no longer a finite number in epoch " +
                                   std::to_string(epoch() + 1) + " after " +
                                   std::to_string(imagesDone) + " images; a learning rate below " +
                                   shortText(options_.learningRate) + " may help");
}

void Trainer::requireBetweenEpochs() const {
  if (isInsideEpoch_) {
    throw StateError("training", "epoch " + std::to_string(epoch() + 1) +
                                     " was not finished; restore a checkpoint first");
  }
}

Checkpoint Trainer::checkpoint() const {
  requireBetweenEpochs();
  Checkpoint checkpoint;
  checkpoint.identity = identity();
  checkpoint.history = history_;
  save({network(), flat_.parameters, *optimizer_, *context_.generator}, checkpoint);
  return checkpoint;
}

void Trainer::restore(const Checkpoint& checkpoint, const std::string& place) {
  requireSameRun(checkpoint.identity, identity(), place);
  auto history = checkpoint.history;
  training::restore({network(), flat_.parameters, *optimizer_, *context_.generator}, checkpoint,
                    place);
  history_ = std::move(history);
  isInsideEpoch_ = false;
}

RunIdentity Trainer::identity() const {
  return {model_.name, network().description(), data_, options_};
}

}  // namespace torchette::training

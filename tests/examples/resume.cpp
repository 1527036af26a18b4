// Continuing from a checkpoint: bit for bit what would have happened without the stop.
#include <doctest/doctest.h>

#include <functional>

#include "backends/cpu/cpu_backend.h"
#include "runtime/errors.h"
#include "tests/examples/small_run.h"
#include "tests/examples/temporary_directory.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_backend.h"

namespace torchette::training {

using testing::checkThrows;
using testing::readFile;
using testing::smallAutoencoder;
using testing::smallClassifier;
using testing::smallImages;
using testing::smallOptions;
using testing::SmallRun;
using testing::TemporaryDirectory;

namespace {

SmallRun newRun(const std::string& model = smallClassifier,
                const TrainingOptions& options = smallOptions(),
                const data::ImageData& images = smallImages()) {
  return SmallRun(testing::cpuBackend(), testing::ledger(), model, options, images);
}

/// The run's complete state as bytes.
std::string stateOf(const Trainer& trainer) {
  const TemporaryDirectory directory;
  writeCheckpoint(trainer.checkpoint(), directory / "checkpoint");
  return readFile(directory / "checkpoint");
}

/// Losses and test results so far, without times.
std::vector<std::pair<double, double>> courseOf(const Trainer& trainer) {
  std::vector<std::pair<double, double>> course;
  for (const auto& record : trainer.history()) {
    course.emplace_back(record.loss,
                        record.testAccuracy ? *record.testAccuracy : *record.testError);
  }
  return course;
}

Checkpoint throughFile(const Checkpoint& checkpoint) {
  const TemporaryDirectory directory;
  writeCheckpoint(checkpoint, directory / "checkpoint");
  return readCheckpoint(directory / "checkpoint");
}

void checkResumesExactly(const std::string& model, const TrainingOptions& options) {
  auto straight = newRun(model, options);
  for (int i = 0; i < 4; ++i) straight.trainer.runEpoch();
  auto first = newRun(model, options);
  for (int i = 0; i < 2; ++i) first.trainer.runEpoch();

  auto second = newRun(model, options);
  second.context.generator->manualSeed(99);  // must not matter
  second.trainer.restore(throughFile(first.trainer.checkpoint()), "FILE");
  CHECK(second.trainer.epoch() == 2);
  for (int i = 0; i < 2; ++i) second.trainer.runEpoch();
  CHECK(courseOf(second.trainer) == courseOf(straight.trainer));
  CHECK(second.trainer.checkpoint().parameters == straight.trainer.checkpoint().parameters);
  CHECK(second.trainer.checkpoint().generator == straight.trainer.checkpoint().generator);
}

/// Losses of four epochs: on the CPU, two on a GPU, and on the CPU again, by way of files.
std::vector<double> lossesOfJourney(const std::shared_ptr<Backend>& gpu,
                                    const TrainingOptions& options) {
  auto departure = newRun(smallClassifier, options);
  departure.trainer.runEpoch();
  SmallRun abroad(gpu, testing::ledger(), smallClassifier, options);
  abroad.trainer.restore(throughFile(departure.trainer.checkpoint()), "FILE");
  for (int i = 0; i < 2; ++i) abroad.trainer.runEpoch();
  auto back = newRun(smallClassifier, options);
  back.trainer.restore(throughFile(abroad.trainer.checkpoint()), "FILE");
  back.trainer.runEpoch();
  std::vector<double> losses;
  for (const auto& record : back.trainer.history()) losses.push_back(record.loss);
  return losses;
}

void checkJourney(const std::shared_ptr<Backend>& gpu, const TrainingOptions& options) {
  auto straight = newRun(smallClassifier, options);
  for (int i = 0; i < 4; ++i) straight.trainer.runEpoch();
  const auto losses = lossesOfJourney(gpu, options);
  REQUIRE(losses.size() == 4);
  for (std::size_t epoch = 0; epoch < 4; ++epoch) {
    CAPTURE(epoch);
    CHECK(losses[epoch] ==
          doctest::Approx(straight.trainer.history()[epoch].loss).epsilon(1e-5).scale(0));
  }
}

/// Checks that a checkpoint of `other` is refused by a usual run, which stays as it is.
void checkOtherRunRefused(SmallRun other, const std::vector<std::string>& words) {
  other.trainer.runEpoch();
  auto run = newRun();
  run.trainer.runEpoch();
  const auto before = stateOf(run.trainer);
  const auto checkpoint = other.trainer.checkpoint();
  checkThrows<FileError>([&] { run.trainer.restore(checkpoint, "FILE"); }, words);
  CHECK(stateOf(run.trainer) == before);
}

/// Checks that a checkpoint of the same run is refused after a change, and the run stays as it is.
void checkChangedRefused(const std::function<void(Checkpoint&)>& change,
                         const std::vector<std::string>& words) {
  auto run = newRun();
  run.trainer.runEpoch();
  auto checkpoint = run.trainer.checkpoint();
  run.trainer.runEpoch();
  const auto before = stateOf(run.trainer);
  change(checkpoint);
  checkThrows<FileError>([&] { run.trainer.restore(checkpoint, "FILE"); }, words);
  CHECK(stateOf(run.trainer) == before);
}

}  // namespace

TEST_CASE("a resumed run takes the course of one that never stopped with sgd") {
  checkResumesExactly(smallClassifier, smallOptions("sgd"));
}

TEST_CASE("a resumed run takes the course of one that never stopped with adam") {
  checkResumesExactly(smallClassifier, smallOptions("adam"));
}

TEST_CASE("a resumed run takes the course of one that never stopped without momentum") {
  auto options = smallOptions("sgd");
  options.momentum = 0;
  options.learningRateDecay = 0.01;
  checkResumesExactly(smallClassifier, options);
}

TEST_CASE("a resumed autoencoder takes the course of one that never stopped") {
  checkResumesExactly(smallAutoencoder, smallOptions("adam"));
}

TEST_CASE("a run that is resumed on another backend keeps its course with sgd") {
  FOR_EACH_GPU_BACKEND(gpu) { checkJourney(gpu, smallOptions("sgd")); }
}

TEST_CASE("a run that is resumed on another backend keeps its course with adam") {
  FOR_EACH_GPU_BACKEND(gpu) { checkJourney(gpu, smallOptions("adam")); }
}

TEST_CASE("after an interruption the same trainer continues from a checkpoint") {
  auto straight = newRun();
  for (int i = 0; i < 2; ++i) straight.trainer.runEpoch();
  auto run = newRun();
  run.trainer.runEpoch();
  const auto checkpoint = run.trainer.checkpoint();
  int batches = 0;
  const auto interrupt = [&batches](const Progress&) {
    if (++batches == 3) throw std::runtime_error("stop here");
  };
  CHECK_THROWS_AS(run.trainer.runEpoch(interrupt), std::runtime_error);
  run.trainer.restore(checkpoint, "FILE");
  run.trainer.runEpoch();
  CHECK(courseOf(run.trainer) == courseOf(straight.trainer));
}

TEST_CASE("more epochs may be asked for when a run is resumed") {
  auto run = newRun();
  run.trainer.runEpoch();
  auto options = smallOptions();
  options.epochs = 9;
  auto longer = newRun(smallClassifier, options);
  longer.trainer.restore(run.trainer.checkpoint(), "FILE");
  CHECK(longer.trainer.epoch() == 1);
}

TEST_CASE("a checkpoint of another model is refused") {
  checkOtherRunRefused(newRun("nn.View(64); nn.Linear(64,3); nn.LogSoftMax()"),
                       {"FILE", "model", "nn.View(64)", "nn.View(144)"});
}

TEST_CASE("a checkpoint of another optimizer is refused") {
  checkOtherRunRefused(newRun(smallClassifier, smallOptions("adam")),
                       {"FILE", "optimizer adam", "optimizer sgd"});
}

TEST_CASE("a checkpoint of other settings is refused") {
  auto options = smallOptions();
  options.batch = 16;
  checkOtherRunRefused(newRun(smallClassifier, options), {"FILE", "batch 16", "batch 8"});
  options = smallOptions();
  options.seed = 8;
  checkOtherRunRefused(newRun(smallClassifier, options), {"seed 8", "seed 7"});
  options = smallOptions();
  options.learningRate = 0.125;
  checkOtherRunRefused(newRun(smallClassifier, options), {"learning rate 0.125"});
  options = smallOptions();
  options.learningRateDecay = 0.125;
  checkOtherRunRefused(newRun(smallClassifier, options), {"learning rate decay 0.125"});
  options = smallOptions();
  options.momentum = 0.25;
  checkOtherRunRefused(newRun(smallClassifier, options), {"momentum 0.25", "momentum 0.9"});
  options = smallOptions();
  options.weightDecay = 0.5;
  checkOtherRunRefused(newRun(smallClassifier, options), {"weight decay 0.5", "weight decay 0"});
}

TEST_CASE("a checkpoint of other images is refused") {
  auto fewer = smallImages();
  fewer.training.limit(40);
  checkOtherRunRefused(newRun(smallClassifier, smallOptions(), fewer),
                       {"data", "40 training", "50 training"});
  checkOtherRunRefused(newRun(smallClassifier, smallOptions(), smallImages(2)),
                       {"data", "checksums"});
}

TEST_CASE("the same images under another name are accepted") {
  auto renamed = smallImages();
  renamed.name = "moved";
  auto run = newRun(smallClassifier, smallOptions(), renamed);
  run.trainer.runEpoch();
  auto other = newRun();
  CHECK_NOTHROW(other.trainer.restore(run.trainer.checkpoint(), "FILE"));
}

TEST_CASE("tensors that do not fit are refused") {
  checkChangedRefused([](Checkpoint& saved) { saved.parameters.pop_back(); },
                      {"FILE", "parameter vector"});
  checkChangedRefused([](Checkpoint& saved) { saved.moduleState.pop_back(); }, {"other layers"});
  checkChangedRefused([](Checkpoint& saved) { saved.moduleState[0].field = "x"; },
                      {"other layers"});
  checkChangedRefused([](Checkpoint& saved) { saved.moduleState[0].values.pop_back(); },
                      {"other layers"});
  checkChangedRefused(
      [](Checkpoint& saved) {
        saved.moduleState[0].shape = {2};
        saved.moduleState[0].values.resize(2);
      },
      {"running_mean", "2", "4"});
  checkChangedRefused(
      [](Checkpoint& saved) {
        saved.optimizerState[0].shape = {1};
        saved.optimizerState[0].values.resize(1);
      },
      {"optim.dfdx"});
  checkChangedRefused([](Checkpoint& saved) { saved.generator = "none"; }, {"random stream"});
}

TEST_CASE("a run that finds no memory for the restored state stays as it is") {
  const auto failing = std::make_shared<FailingAllocator>(testing::hostAllocator());
  SmallRun run(std::make_shared<CpuBackend>(failing, 1), testing::ledger());
  run.trainer.runEpoch();
  const auto checkpoint = run.trainer.checkpoint();
  run.trainer.runEpoch();
  const auto before = stateOf(run.trainer);
  failing->failAt(1);
  CHECK_THROWS_AS(run.trainer.restore(checkpoint, "FILE"), MemoryError);
  CHECK(stateOf(run.trainer) == before);
}

}  // namespace torchette::training

// The training loop.
#include "examples/training/trainer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "runtime/errors.h"
#include "tests/examples/small_run.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_backend.h"

namespace torchette::training {

using testing::checkThrows;
using testing::smallAutoencoder;
using testing::smallClassifier;
using testing::smallImages;
using testing::smallOptions;
using testing::SmallRun;

namespace {

SmallRun newRun(const std::string& model = smallClassifier,
                const TrainingOptions& options = smallOptions(),
                const data::ImageData& images = smallImages(), int lanes = 2) {
  return SmallRun(testing::cpuBackend(lanes), testing::ledger(), model, options, images);
}

/// Steps so small that no parameter moves.
TrainingOptions standingStill() {
  auto options = smallOptions();
  options.learningRate = 1e-30;
  return options;
}

/// What the network gives for all images of a dataset at once, in evaluate mode.
std::vector<float> outputsFor(SmallRun& run, const data::Dataset& dataset) {
  data::Batches batches(dataset, testing::hostAllocator(), dataset.count);
  batches.load(0);
  run.model.network->evaluate();
  return run.model.network->forward(batches.images()).tensor().values<float>();
}

std::size_t largestOf(const float* scores, std::size_t classes) {
  return static_cast<std::size_t>(std::max_element(scores, scores + classes) - scores);
}

}  // namespace

TEST_CASE("a classifier learns synthetic images") {
  auto run = newRun();
  CHECK(run.trainer.objective() == nn::Objective::classification);
  for (int i = 0; i < 4; ++i) run.trainer.runEpoch();
  const auto& history = run.trainer.history();
  CHECK(history.back().loss < 0.5 * history.front().loss);
  CHECK(history.back().testAccuracy.value() > 0.9);
  CHECK(!history.back().testError);
}

TEST_CASE("an autoencoder learns synthetic images") {
  auto options = smallOptions("adam");
  options.learningRate = 0.03;
  auto run = newRun(smallAutoencoder, options);
  CHECK(run.trainer.objective() == nn::Objective::reconstruction);
  for (int i = 0; i < 4; ++i) run.trainer.runEpoch();
  const auto& history = run.trainer.history();
  CHECK(history.back().testError.value() < 0.5 * history.front().testError.value());
  CHECK(!history.back().testAccuracy);
}

TEST_CASE("an autoencoder may give its images as rows of numbers") {
  auto run = newRun("nn.View(64); nn.Linear(64,16); nn.Linear(16,64)", smallOptions("adam"));
  for (int i = 0; i < 2; ++i) run.trainer.runEpoch();
  CHECK(run.trainer.history()[1].loss < run.trainer.history()[0].loss);
}

TEST_CASE("the loss is the mean over the training images") {
  auto run = newRun("nn.View(64); nn.Linear(64,3); nn.LogSoftMax()", standingStill());
  const auto record = run.trainer.runEpoch();
  const auto outputs = outputsFor(run, run.images.training);
  double sum = 0;
  for (std::size_t i = 0; i < 50; ++i) sum -= outputs[3 * i + run.images.training.labels[i]];
  CHECK(record->loss == doctest::Approx(sum / 50).epsilon(1e-6).scale(0));
}

TEST_CASE("the accuracy is the share of test images whose largest score is at their label") {
  auto run = newRun();
  const auto record = run.trainer.runEpoch();
  const auto outputs = outputsFor(run, run.images.test);
  int correct = 0;
  for (std::size_t i = 0; i < 21; ++i) {
    correct += largestOf(&outputs[3 * i], 3) == run.images.test.labels[i] ? 1 : 0;
  }
  CHECK(correct > 0);
  CHECK(correct < 21);
  CHECK(record->testAccuracy.value() == correct / 21.0);
}

TEST_CASE("the test error is the mean squared difference of a pixel") {
  auto run = newRun(smallAutoencoder);
  const auto record = run.trainer.runEpoch();
  const auto outputs = outputsFor(run, run.images.test);
  double sum = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double difference = double(outputs[i]) - run.images.test.pixels[i] / 255.0;
    sum += difference * difference;
  }
  CHECK(record->testError.value() ==
        doctest::Approx(sum / static_cast<double>(outputs.size())).epsilon(1e-5).scale(0));
}

TEST_CASE("progress comes after each batch and ends at the loss of the epoch") {
  auto run = newRun();
  std::vector<std::int64_t> done;
  double loss = 0;
  const auto record = run.trainer.runEpoch([&](const Progress& progress) {
    CHECK(progress.epoch == 1);
    CHECK(progress.imagesTotal == 50);
    done.push_back(progress.imagesDone);
    loss = progress.loss;
  });
  CHECK(done == std::vector<std::int64_t>{8, 16, 24, 32, 40, 48, 50});
  CHECK(record->epoch == 1);
  CHECK(loss == record->loss);
  CHECK(record->imagesPerSecond * record->seconds == doctest::Approx(50));
  CHECK(record->peakBytes == testing::ledger()->peakBytes());
}

TEST_CASE("the same seed gives the same numbers to the last bit") {
  auto first = newRun(), again = newRun();
  auto options = smallOptions();
  options.seed = 8;
  auto other = newRun(smallClassifier, options);
  for (auto* run : {&first, &again, &other}) {
    for (int i = 0; i < 3; ++i) run->trainer.runEpoch();
  }
  CHECK(first.trainer.checkpoint().parameters == again.trainer.checkpoint().parameters);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(first.trainer.history()[i].loss == again.trainer.history()[i].loss);
    CHECK(first.trainer.history()[i].loss != other.trainer.history()[i].loss);
  }
}

TEST_CASE("a raised stop flag ends the epoch without a result") {
  std::atomic<bool> stop = false;
  auto run = newRun();
  const auto stopSoon = [&stop](const Progress& progress) { stop = progress.imagesDone >= 16; };
  CHECK(!run.trainer.runEpoch(stopSoon, &stop));
  CHECK(run.trainer.history().empty());
  checkThrows<StateError>([&] { run.trainer.runEpoch(); }, {"epoch 1", "restore a checkpoint"});
  checkThrows<StateError>([&] { run.trainer.checkpoint(); }, {"epoch 1", "not finished"});
}

TEST_CASE("a stop flag raised during the last batch ends the test") {
  std::atomic<bool> stop = false;
  auto run = newRun();
  const auto stopLate = [&stop](const Progress& progress) { stop = progress.imagesDone == 50; };
  CHECK(!run.trainer.runEpoch(stopLate, &stop));
}

TEST_CASE("a loss beyond all numbers stops training with advice") {
  auto options = smallOptions();
  options.learningRate = 1e38;
  auto run = newRun("nn.View(64); nn.Linear(64,3); nn.LogSoftMax()", options);
  checkThrows<StateError>([&] { run.trainer.runEpoch(); },
                          {"loss", "epoch 1", "16 images", "learning rate below 1e+38"});
}

TEST_CASE("all bytes of training have an owner and come in the first epoch") {
  auto run = newRun();
  run.trainer.runEpoch();
  std::set<std::string> owners;
  for (const auto& holding : testing::ledger()->liveHoldings()) {
    owners.insert(holding.owner.substr(0, holding.owner.find('/')));
  }
  CHECK(owners == std::set<std::string>{"criterion", "data", "net", "optim"});
  const auto bytes = testing::ledger()->liveBytes();
  for (int i = 0; i < 2; ++i) run.trainer.runEpoch();
  CHECK(testing::ledger()->liveBytes() == bytes);
}

TEST_CASE("the ledger knows which part of a step made what") {
  testing::ledger()->startRecordingEvents();
  const auto before = testing::ledger()->events().size();
  auto run = newRun();
  run.trainer.runEpoch();
  std::map<std::string, std::string> phaseOf;
  const auto events = testing::ledger()->events();
  for (auto event = events.begin() + std::ptrdiff_t(before); event != events.end(); ++event) {
    phaseOf.emplace(event->owner + "." + event->field, event->phase);
  }
  CHECK(phaseOf["net/6.gradInput"] == "backward");
  CHECK(phaseOf["optim.dfdx"] == "update");
}

TEST_CASE("a batch larger than the data takes all of it") {
  auto options = smallOptions();
  options.batch = 1000;
  auto run = newRun(smallClassifier, options);
  std::int64_t batches = 0;
  run.trainer.runEpoch([&batches](const Progress&) { ++batches; });
  CHECK(batches == 1);
}

TEST_CASE("a last batch of one image is trained on and tested") {
  auto images = smallImages();
  images.training.limit(17);
  images.test.limit(9);
  auto run = newRun("nn.View(64); nn.Linear(64,3); nn.LogSoftMax()", smallOptions(), images);
  const auto record = run.trainer.runEpoch();
  CHECK(std::isfinite(record->loss));
  CHECK(record->testAccuracy.value() * 9 == doctest::Approx(std::round(*record->testAccuracy * 9)));
}

TEST_CASE("a network without parameters is not trained") {
  checkThrows<ArgumentError>([] { newRun("nn.Tanh()"); }, {"nn.Tanh()", "no parameters"});
}

TEST_CASE("options out of range are refused before anything is built") {
  auto options = smallOptions();
  options.batch = 0;
  checkThrows<ArgumentError>([&] { newRun(smallClassifier, options); }, {"batch"});
}

}  // namespace torchette::training

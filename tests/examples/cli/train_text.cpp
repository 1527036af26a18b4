// What torchette train says.
#include "examples/cli/train_text.h"

#include <doctest/doctest.h>

#include "examples/cli/progress_bar.h"
#include "examples/cli/train_options.h"
#include "examples/cli/usage_error.h"
#include "tests/support/check_throws.h"

namespace torchette::cli {

using testing::checkThrows;

TEST_CASE("a line tells what an epoch of a classifier came to") {
  training::EpochRecord record;
  record.epoch = 1;
  record.loss = 0.52134;
  record.testAccuracy = 0.871;
  record.imagesPerSecond = 2500.4;
  record.seconds = 24;
  record.peakBytes = 36'910'000;
  CHECK(epochLine(record, 2) ==
        "epoch 1/2  loss 0.5213  test accuracy 87.10 %  2,500 images/s  24.0 s  peak 35.2 MiB");
}

TEST_CASE("a line tells what an epoch of an autoencoder came to") {
  training::EpochRecord record;
  record.epoch = 3;
  record.loss = 2e28;
  record.testError = 0.0123;
  CHECK(epochLine(record, 3) ==
        "epoch 3/3  loss 2.000e+28  test error 0.01230  0 images/s  0.0 s  peak 0 B");
}

TEST_CASE("the command to continue names the checkpoint once and quotes what a shell would split") {
  const std::vector<std::string> plain = {"./torchette", "train", "lenet"};
  CHECK(commandToContinue(plain, "a.ck") == "./torchette train lenet --resume a.ck");
  CHECK(commandToContinue({"t", "train", "x", "--resume", "old", "--epochs", "9"}, "new") ==
        "t train x --epochs 9 --resume new");
  CHECK(commandToContinue({"t", "train", "x", "--resume=old"}, "new") == "t train x --resume new");
  CHECK(commandToContinue({"t", "train", "nn.Linear(4,2); it's"}, "my file") ==
        "t train 'nn.Linear(4,2); it'\\''s' --resume 'my file'");
}

TEST_CASE("the progress line shows speed and the time that all epochs still take") {
  const training::Progress progress{1, 300, 1000, 0.5125};
  CHECK(progressLine(progress, 3, 0.3) ==
        "epoch 1/3  [######--------------]  30 %  loss 0.512  1,000 images/s  3 s left");
}

TEST_CASE("durations are written in two units at most") {
  CHECK(durationText(0.4) == "0 s");
  CHECK(durationText(59.4) == "59 s");
  CHECK(durationText(59.6) == "1 min 0 s");
  CHECK(durationText(125) == "2 min 5 s");
  CHECK(durationText(3780) == "1 h 3 min");
}

TEST_CASE("what the command line names goes over the defaults of the optimizer") {
  TrainingOverrides named;
  named.epochs = 7;
  named.optimizer = "adam";
  named.learningRate = 0.25;
  const auto options = named.over(nn::Objective::classification);
  CHECK(options.epochs == 7);
  CHECK(options.optimizer == "adam");
  CHECK(options.learningRate == 0.25);
  CHECK(options.momentum == 0);
  CHECK(options.batch == training::TrainingOptions{}.batch);
}

TEST_CASE("a continued run keeps its options unless others are named") {
  training::TrainingOptions saved;
  saved.optimizer = "sgd";
  saved.batch = 17;
  saved.momentum = 0.5;
  TrainingOverrides named;
  named.epochs = 9;
  const auto options = named.over(saved);
  CHECK(options.batch == 17);
  CHECK(options.momentum == 0.5);
  CHECK(options.epochs == 9);
  named.optimizer = "adam";
  checkThrows<UsageError>([&] { named.over(saved); }, {"--optimizer", "sgd"});
}

}  // namespace torchette::cli

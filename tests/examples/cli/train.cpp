// torchette train, as people run it, on little data.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/examples/cli/program_run.h"
#include "tests/examples/temporary_directory.h"

namespace torchette::cli {

using nlohmann::json;
using testing::hasLine;
using testing::isOneLine;
using testing::readFile;
using testing::runScript;
using testing::runTorchette;
using testing::TemporaryDirectory;

namespace {

/// A classifier that trains in an instant.
const std::string small =
    "train 'nn.View(784); nn.Linear(784,10); nn.LogSoftMax()' --data synthetic --limit 100 ";

json trained(const std::string& options) {
  const auto run = runTorchette(small + options + " --json");
  CAPTURE(run.errors);
  REQUIRE(run.status == 0);
  return json::parse(run.output);
}

std::vector<double> lossesOf(const json& document) {
  std::vector<double> losses;
  for (const auto& record : document["epochs"]) losses.push_back(record["loss"]);
  return losses;
}

std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

}  // namespace

TEST_CASE("training says what it trains and prints a line per epoch") {
  const auto run = runTorchette(small + "--epochs 2 --batch 10 --seed 5 --threads 1");
  CHECK(run.status == 0);
  CHECK(run.errors.empty());
  CHECK(hasLine(run.output,
                "nn.View(784); nn.Linear(784,10); nn.LogSoftMax(): 7,850 parameters; backend cpu, "
                "threads 1, workspace batch"));
  CHECK(hasLine(run.output, "synthetic: 100 training and 100 test images of 1x28x28"));
  CHECK(hasLine(run.output,
                "sgd: batch 10, learning rate 0.05, momentum 0.9, weight decay 0, seed 5"));
  CHECK(run.output.find("\nepoch 1/2  loss ") != std::string::npos);
  CHECK(run.output.find("\nepoch 2/2  loss ") != std::string::npos);
  CHECK(run.output.find(" test accuracy ") != std::string::npos);
}

TEST_CASE("the options reach the training") {
  const auto options = trained(
      "--epochs 1 --batch 20 --optimizer adam --learning-rate 0.25 --weight-decay 0.125 --seed "
      "9")["options"];
  CHECK(options == json{{"epochs", 1},
                        {"batch", 20},
                        {"optimizer", "adam"},
                        {"learningRate", 0.25},
                        {"momentum", 0.0},
                        {"weightDecay", 0.125},
                        {"seed", 9}});
}

TEST_CASE("training as json is one document with a record per epoch") {
  const auto document = trained("--epochs 2");
  CHECK(document["parameters"] == 7850);
  CHECK(document["data"]["trainingImages"] == 100);
  REQUIRE(document["epochs"].size() == 2);
  CHECK(document["epochs"][1]["epoch"] == 2);
  CHECK(document["epochs"][1]["loss"] < document["epochs"][0]["loss"]);
  CHECK(document["epochs"][1]["testAccuracy"] > 0.5);
  CHECK(!document.contains("inspection"));
}

TEST_CASE("the same seed gives the same losses and another seed others") {
  const auto losses = lossesOf(trained("--epochs 1"));
  CHECK(lossesOf(trained("--epochs 1 --seed 1")) == losses);
  CHECK(lossesOf(trained("--epochs 1 --seed 2")) != losses);
}

TEST_CASE("a run continued from its checkpoint has the losses of one that never stopped") {
  const TemporaryDirectory directory;
  const auto checkpoint = quoted(directory / "small.ck");
  trained("--epochs 1 --checkpoint " + checkpoint);
  CHECK(lossesOf(trained("--epochs 3 --resume " + checkpoint)) == lossesOf(trained("--epochs 3")));
}

TEST_CASE("training on each available backend has the losses of the cpu") {
  const auto expected = lossesOf(trained("--epochs 2"));
  for (const auto& name : testing::availableBackends()) {
    CAPTURE(name);
    const auto losses = lossesOf(trained("--epochs 2 --backend " + name));
    REQUIRE(losses.size() == 2);
    for (int epoch = 0; epoch < 2; ++epoch) {
      CHECK(losses[epoch] == doctest::Approx(expected[epoch]).epsilon(1e-4).scale(0));
    }
  }
}

TEST_CASE("a checkpoint of one backend is continued on another") {
  const TemporaryDirectory directory;
  const auto checkpoint = quoted(directory / "small.ck");
  trained("--epochs 1 --checkpoint " + checkpoint);
  const auto moved = lossesOf(trained("--epochs 2 --backend simulated --resume " + checkpoint));
  const auto expected = lossesOf(trained("--epochs 2"));
  CHECK(moved.at(0) == expected.at(0));
  CHECK(moved.at(1) == doctest::Approx(expected.at(1)).epsilon(1e-4).scale(0));
}

TEST_CASE("a continued run takes its options from the checkpoint and keeps it up to date") {
  const TemporaryDirectory directory;
  const auto checkpoint = quoted(directory / "small.ck");
  trained("--epochs 1 --batch 30 --seed 4 --checkpoint " + checkpoint);
  const auto run = runTorchette(small + "--epochs 2 --resume " + checkpoint);
  CHECK(run.output.find("sgd: batch 30, ") != std::string::npos);
  CHECK(run.output.find("seed 4\n") != std::string::npos);
  CHECK(run.output.find("after epoch 1\nepoch 2/2 ") != std::string::npos);
  CHECK(runTorchette(small + "--epochs 2 --resume " + checkpoint).output.find("all 2 epochs") !=
        std::string::npos);
}

TEST_CASE("a checkpoint of another model is refused with one line") {
  const TemporaryDirectory directory;
  const auto checkpoint = quoted(directory / "small.ck");
  trained("--epochs 1 --checkpoint " + checkpoint);
  const auto run = runTorchette("train lenet --data synthetic --limit 100 --resume " + checkpoint);
  CHECK(run.status == 1);
  CHECK(isOneLine(run.errors));
  CHECK(run.errors.find("the model") != std::string::npos);
}

TEST_CASE("files that cannot be read or written fail with one line that names them") {
  for (const char* option : {"--checkpoint /nowhere/a", "--log /nowhere/a", "--resume /nowhere/a",
                             "--data-dir /nowhere/a"}) {
    CAPTURE(option);
    const auto run = runTorchette("train lenet --epochs 1 " +
                                  std::string(std::string(option).starts_with("--data")
                                                  ? ""
                                                  : "--data synthetic --limit 10 ") +
                                  option);
    CHECK(run.status == 1);
    CHECK(isOneLine(run.errors));
    CHECK(run.errors.find("/nowhere/a: ") != std::string::npos);
  }
}

TEST_CASE("the log has a line of json per epoch") {
  const TemporaryDirectory directory;
  trained("--epochs 2 --log " + quoted(directory / "log.jsonl"));
  const auto log = readFile(directory / "log.jsonl");
  const auto end = log.find('\n');
  CHECK(json::parse(log.substr(0, end))["epoch"] == 1);
  CHECK(json::parse(log.substr(end + 1))["epoch"] == 2);
}

TEST_CASE("an autoencoder reports its error and leaves a sheet of reconstructions") {
  const TemporaryDirectory directory;
  const auto run = runTorchette(
      "train autoencoder --data synthetic --limit 40 --epochs 1 "
      "--samples " +
      quoted(directory / "sheet.png"));
  CHECK(run.status == 0);
  CHECK(run.output.find(" test error ") != std::string::npos);
  CHECK(readFile(directory / "sheet.png").starts_with("\x89PNG"));
}

TEST_CASE("after training the layers are shown as they were in training") {
  const auto table = runTorchette(small + "--epochs 1 --batch 32 --inspect").output;
  CHECK(table.find("\nnet/2 ") != std::string::npos);
  CHECK(table.find("training, input 32x1x28x28\n") != std::string::npos);
  const auto torch7 = runTorchette(small + "--epochs 1 --batch 32 --inspect=torch7").output;
  CHECK(hasLine(torch7, "  gradInput : FloatTensor - size: 32x784"));
  const auto inspection = trained("--epochs 1 --batch 32 --inspect")["inspection"];
  CHECK(inspection["input"] == json{32, 1, 28, 28});
}

TEST_CASE("training with shared memory is refused with the reason and a way out") {
  for (const std::string share : {"workspace", "plan"}) {
    CAPTURE(share);
    const auto run = runTorchette(small + "--share " + share);
    CHECK(run.status == 1);
    CHECK(run.output.empty());
    CHECK(isOneLine(run.errors));
    CHECK(run.errors.find("save memory in training with the workspace strategy sample") !=
          std::string::npos);
  }
  CHECK(runTorchette(small + "--epochs 1 --share off").status == 0);
}

TEST_CASE("a network that comes from a checkpoint shares nothing and its report says so") {
  const TemporaryDirectory directory;
  const auto checkpoint = quoted(directory / "small.ck");
  trained("--epochs 1 --checkpoint " + checkpoint);
  const auto continued = trained("--epochs 2 --inspect --resume " + checkpoint);
  CHECK(continued.at("inspection").at("share") == "off");
}

TEST_CASE("a run that is asked to stop keeps its checkpoint and says how to continue") {
  const TemporaryDirectory directory;
  const auto checkpoint = quoted(directory / "small.ck");
  const auto run = runScript("\"$torchette\" " + small + "--epochs 1000000 --checkpoint " +
                             checkpoint + " >/dev/null &\nwhile [ ! -e " + checkpoint +
                             " ]; do sleep 0.02; done\nkill -TERM $!\nwait $!");
  CHECK(run.status == 1);
  CHECK(isOneLine(run.errors));
  const auto command = run.errors.find("continue with: ");
  REQUIRE(command != std::string::npos);
  CHECK(run.errors.find("--resume ", command) != std::string::npos);
  const auto again = runTorchette(small + "--epochs 1 --resume " + checkpoint);
  CHECK(again.status == 0);
}

}  // namespace torchette::cli

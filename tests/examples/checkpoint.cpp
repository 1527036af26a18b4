// The checkpoint file: what it keeps, and what is refused as one.
#include "examples/training/checkpoint.h"

#include <doctest/doctest.h>

#include <cmath>

#include "runtime/errors.h"
#include "tests/examples/temporary_directory.h"
#include "tests/support/check_throws.h"

namespace torchette::training {

using testing::checkThrows;
using testing::readFile;
using testing::TemporaryDirectory;
using testing::writeFile;

namespace {

Checkpoint sampleCheckpoint() {
  Checkpoint checkpoint;
  checkpoint.identity = {"lenet", "nn.Sequential {\n}", {"synthetic", 50, 21, 4000000000, 5}, {}};
  checkpoint.identity.options = {.epochs = 9,
                                 .batch = 8,
                                 .optimizer = "adam",
                                 .learningRate = 0.1,
                                 .learningRateDecay = 0.2,
                                 .momentum = 0.3,
                                 .weightDecay = 0.4,
                                 .seed = 4294967295};
  checkpoint.history = {{1, 1.0 / 3, 0.7, {}, 9.5, 2.25, 77}, {2, 0.25, {}, 0.125, 8.5, 3, 88}};
  checkpoint.parameters = {1.5f, -0.0f, 1e-40f, 3.4e38f};
  checkpoint.moduleState = {{"net/bn", "running_mean", {2, 1}, {0.5f, 0.1f}}};
  checkpoint.optimizerSteps = 12345678901;
  checkpoint.optimizerState = {{"optim", "m", {}, {}}, {"optim", "v", {1}, {7}}};
  checkpoint.generator = "1 2 3";
  return checkpoint;
}

/// The bytes of a file that holds sampleCheckpoint().
std::string sampleFile() {
  const TemporaryDirectory directory;
  writeCheckpoint(sampleCheckpoint(), directory / "file");
  return readFile(directory / "file");
}

void checkRefused(const std::string& content, std::vector<std::string> words) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", content);
  words.push_back((directory / "file").string());
  checkThrows<FileError>([&] { readCheckpoint(directory / "file"); }, words);
}

void checkSame(const std::vector<SavedTensor>& actual, const std::vector<SavedTensor>& expected) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    CHECK(actual[i].path == expected[i].path);
    CHECK(actual[i].field == expected[i].field);
    CHECK(actual[i].shape == expected[i].shape);
    CHECK(actual[i].values == expected[i].values);
  }
}

}  // namespace

TEST_CASE("a checkpoint comes back from its file as it was") {
  const TemporaryDirectory directory;
  const auto expected = sampleCheckpoint();
  writeCheckpoint(expected, directory / "file");
  const auto actual = readCheckpoint(directory / "file");
  CHECK(actual.identity.model == expected.identity.model);
  CHECK(actual.identity.description == expected.identity.description);
  CHECK(actual.identity.data.name == "synthetic");
  CHECK(actual.identity.data.trainingImages == 50);
  CHECK(actual.identity.data.testImages == 21);
  CHECK(actual.identity.data.trainingChecksum == 4000000000);
  CHECK(actual.identity.data.testChecksum == 5);
  CHECK(actual.identity.options == expected.identity.options);
  CHECK(actual.history == expected.history);
  CHECK(actual.parameters == expected.parameters);
  CHECK(std::signbit(actual.parameters[1]));
  checkSame(actual.moduleState, expected.moduleState);
  CHECK(actual.optimizerSteps == expected.optimizerSteps);
  checkSame(actual.optimizerState, expected.optimizerState);
  CHECK(actual.generator == expected.generator);
}

TEST_CASE("a checkpoint is refused wherever it is cut off") {
  const auto content = sampleFile();
  for (std::size_t length = 0; length < content.size(); ++length) {
    CAPTURE(length);
    checkRefused(content.substr(0, length), {"truncated"});
  }
}

TEST_CASE("a checkpoint is refused whichever byte is damaged") {
  const auto content = sampleFile();
  for (std::size_t i = 0; i < content.size(); ++i) {
    CAPTURE(i);
    auto changed = content;
    changed[i] = static_cast<char>(changed[i] ^ 0x11);
    checkRefused(changed, {});
  }
  auto changed = content;
  changed.back() = static_cast<char>(changed.back() ^ 1);
  checkRefused(changed, {"damaged", "checksum"});
}

TEST_CASE("a checkpoint followed by other bytes is refused") {
  checkRefused(sampleFile() + "x", {"followed by other bytes"});
}

TEST_CASE("a file of another kind is no checkpoint") {
  checkRefused("epoch,loss\n1,0.5\n", {"not a torchette checkpoint"});
}

TEST_CASE("a checkpoint of a newer format is refused with both numbers") {
  auto content = sampleFile();
  content.replace(content.find('1'), 1, "27");
  checkRefused(content, {"format 27", "reads format 1"});
}

TEST_CASE("a missing checkpoint and a directory are refused") {
  const TemporaryDirectory directory;
  checkThrows<FileError>([&] { readCheckpoint(directory / "absent"); }, {"absent", "no such file"});
  checkThrows<FileError>([&] { readCheckpoint(directory.path()); }, {"not a file"});
}

}  // namespace torchette::training

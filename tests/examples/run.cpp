// Whole runs: files in the right order, and what is found before the first epoch.
#include "examples/training/run.h"

#include <doctest/doctest.h>

#include <algorithm>

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
using testing::smallOptions;
using testing::SmallRun;
using testing::TemporaryDirectory;
using testing::writeFile;

namespace {

SmallRun newRun(const std::string& model = smallClassifier) {
  return SmallRun(testing::cpuBackend(), testing::ledger(), model);
}

std::int64_t epochsIn(const std::filesystem::path& checkpoint) {
  return static_cast<std::int64_t>(readCheckpoint(checkpoint).history.size());
}

std::int64_t linesIn(const std::filesystem::path& log) {
  return std::ranges::count(readFile(log), '\n');
}

}  // namespace

TEST_CASE("a run goes through all epochs and each is kept before it is told") {
  const TemporaryDirectory directory;
  auto run = newRun();
  std::int64_t told = 0;
  const auto epochDone = [&](const EpochRecord& record) {
    CHECK(record.epoch == ++told);
    CHECK(epochsIn(directory / "checkpoint") == told);
    CHECK(linesIn(directory / "log") == told);
  };
  const RunFiles files{directory / "checkpoint", directory / "log", {}};
  CHECK(training::run(run.trainer, files, {{}, epochDone}) == RunResult::finished);
  CHECK(told == 4);
}

TEST_CASE("an interrupted run keeps the epochs before and goes on where it was") {
  const TemporaryDirectory directory;
  const RunFiles files{directory / "checkpoint", directory / "log", {}};
  std::atomic<bool> stop = false;
  auto run = newRun();
  const auto stopInThird = [&](const Progress& progress) { stop = progress.epoch == 3; };
  CHECK(training::run(run.trainer, files, {stopInThird, {}}, &stop) == RunResult::interrupted);
  CHECK(run.trainer.epoch() == 2);
  CHECK(epochsIn(files.checkpoint) == 2);

  auto resumed = newRun();
  resumed.trainer.restore(readCheckpoint(files.checkpoint), "FILE");
  CHECK(training::run(resumed.trainer, files) == RunResult::finished);
  CHECK(epochsIn(files.checkpoint) == 4);
  CHECK(linesIn(files.log) == 4);
}

TEST_CASE("a run whose epochs are finished has nothing to do") {
  auto run = newRun();
  CHECK(training::run(run.trainer, {}) == RunResult::finished);
  const auto history = run.trainer.history();
  CHECK(training::run(run.trainer, {}) == RunResult::finished);
  CHECK(run.trainer.history() == history);
}

TEST_CASE("files that cannot be written are found before the first epoch") {
  const TemporaryDirectory directory;
  writeFile(directory / "log", "earlier");
  const auto absent = directory / "absent/file";
  auto run = newRun(smallAutoencoder);
  for (const auto& files :
       {RunFiles{absent, directory / "log", {}}, RunFiles{directory / "checkpoint", absent, {}},
        RunFiles{directory / "checkpoint", directory / "log", absent}}) {
    checkThrows<FileError>([&] { training::run(run.trainer, files); },
                           {"absent/file", "cannot be written"});
  }
  CHECK(run.trainer.epoch() == 0);
  CHECK(readFile(directory / "log") == "earlier");
  CHECK(directory.fileCount() == 1);
}

TEST_CASE("samples of a classifier are refused before the first epoch") {
  const TemporaryDirectory directory;
  auto run = newRun();
  checkThrows<StateError>(
      [&] {
        training::run(run.trainer, {{}, {}, directory / "sheet.png"});
      },
      {"classifier"});
  CHECK(run.trainer.epoch() == 0);
}

TEST_CASE("an autoencoder leaves a sample sheet") {
  const TemporaryDirectory directory;
  auto run = newRun(smallAutoencoder);
  CHECK(training::run(run.trainer, {{}, {}, directory / "sheet.png"}) == RunResult::finished);
  CHECK(readFile(directory / "sheet.png").substr(1, 3) == "PNG");
}

}  // namespace torchette::training

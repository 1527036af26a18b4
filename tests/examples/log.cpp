// The log: one JSON object per epoch and line.
#include "examples/training/log.h"

#include <doctest/doctest.h>

#include "runtime/errors.h"
#include "tests/examples/temporary_directory.h"
#include "tests/support/check_throws.h"

namespace torchette::training {

using testing::readFile;
using testing::TemporaryDirectory;
using testing::writeFile;

namespace {

const EpochRecord first{1, 0.52, 0.871, {}, 9000, 6.6, 123};
const EpochRecord second{2, 1.0 / 3, 0.9, {}, 9100, 6.5, 124};

}  // namespace

TEST_CASE("a record of a classifier is one JSON object") {
  CHECK(toJson(first) ==
        R"({"epoch":1,"loss":0.52,"testAccuracy":0.871,"imagesPerSecond":9000.0,"seconds":6.6,)"
        R"("peakBytes":123})");
}

TEST_CASE("a record of an autoencoder has an error instead of an accuracy") {
  const EpochRecord record{1, 0.5, {}, 0.25, 8, 4, 2};
  CHECK(toJson(record) ==
        R"({"epoch":1,"loss":0.5,"testError":0.25,"imagesPerSecond":8.0,"seconds":4.0,)"
        R"("peakBytes":2})");
}

TEST_CASE("a log grows by a line per epoch") {
  const TemporaryDirectory directory;
  TrainingLog log(directory / "log", {});
  CHECK(readFile(directory / "log").empty());
  log.append(first);
  CHECK(readFile(directory / "log") == toJson(first) + "\n");
  log.append(second);
  CHECK(readFile(directory / "log") == toJson(first) + "\n" + toJson(second) + "\n");
}

TEST_CASE("the log of a resumed run begins with the epochs it continues") {
  const TemporaryDirectory directory;
  writeFile(directory / "log", toJson(first) + "\n" + toJson(second) + "\n{\"epo");
  TrainingLog log(directory / "log", {first});
  CHECK(readFile(directory / "log") == toJson(first) + "\n");
  log.append(second);
  CHECK(readFile(directory / "log") == toJson(first) + "\n" + toJson(second) + "\n");
}

TEST_CASE("a log that cannot be written is refused") {
  const TemporaryDirectory directory;
  testing::checkThrows<FileError>([&] { TrainingLog(directory / "absent/log", {}); },
                                  {"absent/log", "cannot be written"});
  std::filesystem::create_directory(directory / "below");
  TrainingLog log(directory / "below/log", {});
  std::filesystem::remove_all(directory / "below");
  testing::checkThrows<FileError>([&] { log.append(first); }, {"below/log", "cannot be written"});
}

}  // namespace torchette::training

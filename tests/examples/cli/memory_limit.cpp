// torchette train --memory-limit: refused before training, or within the limit to the byte.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/examples/cli/program_run.h"
#include "tests/examples/temporary_directory.h"

namespace torchette::cli {

using nlohmann::json;
using testing::isOneLine;
using testing::ProgramRun;
using testing::runTorchette;
using testing::TemporaryDirectory;

namespace {

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// The number after `words` in `text`, digits grouped by commas; 0 if they are not there.
std::int64_t numberAfter(const std::string& text, const std::string& words) {
  const auto place = text.find(words);
  if (place == std::string::npos) return 0;
  std::int64_t number = 0;
  for (auto i = place + words.size(); i < text.size(); ++i) {
    if (text[i] == ',') continue;
    if (text[i] < '0' || text[i] > '9') break;
    number = 10 * number + text[i] - '0';
  }
  return number;
}

ProgramRun limited(const std::string& arguments, std::int64_t bytes) {
  return runTorchette("train " + arguments + " --memory-limit " + std::to_string(bytes));
}

/// The least limit with which the refusal of `arguments` says that they would fit. Fails the test
/// unless they do fit just there.
std::int64_t neededBytes(const std::string& arguments) {
  const auto refused = limited(arguments, 1000);
  CHECK(refused.status == 1);
  CHECK(refused.output.empty());
  CHECK(isOneLine(refused.errors));
  const auto bytes = numberAfter(refused.errors, "would need ");
  CHECK(bytes > 1000);
  const auto refusedAgain = limited(arguments, bytes - 1);
  CHECK(refusedAgain.status == 1);
  CHECK(refusedAgain.output.empty());
  const auto run = limited(arguments, bytes);
  CHECK(run.status == 0);
  CHECK(run.errors.empty());
  return bytes;
}

}  // namespace

TEST_CASE("training past the memory limit is refused with what would fit") {
  const std::string lenet = "lenet --data synthetic --limit 128 --epochs 1";
  const auto run = limited(lenet, 20'000'000);
  CHECK(run.status == 1);
  CHECK(isOneLine(run.errors));
  CHECK(has(run.errors, "the limit is 20,000,000"));
  const auto sample = numberAfter(run.errors, "--workspace sample would need ");
  CHECK(limited(lenet + " --workspace sample", sample).status == 0);
  const auto batch = std::to_string(numberAfter(run.errors, "--batch "));
  const auto bytes = numberAfter(run.errors, "--batch " + batch + " would need ");
  CHECK(bytes <= 20'000'000);
  CHECK(limited(lenet + " --batch " + batch, bytes).status == 0);
}

TEST_CASE("a limit of exactly the peak lets a run through and one byte less does not") {
  neededBytes("autoencoder --data synthetic --limit 70 --epochs 1 --batch 16");
}

TEST_CASE("the sample sheet counts towards the limit") {
  const TemporaryDirectory directory;
  const std::string run = "autoencoder --data synthetic --limit 70 --epochs 1 --batch 2";
  const auto sheet = directory / "sheet.png";
  const auto withSheet = run + " --samples '" + sheet.string() + "'";
  const auto bytes = neededBytes(run);
  CHECK(neededBytes(withSheet) > bytes);
  CHECK(std::filesystem::exists(sheet));
  const auto refused = limited(withSheet, bytes);
  CHECK(refused.status == 1);
  CHECK(numberAfter(refused.errors, "leaving out --samples would need ") == bytes);
}

TEST_CASE("a run that is continued is not told to change its batch") {
  const TemporaryDirectory directory;
  const auto checkpoint = "'" + (directory / "lenet.ck").string() + "'";
  const std::string lenet = "lenet --data synthetic --limit 128 ";
  REQUIRE(runTorchette("train " + lenet + "--epochs 1 --checkpoint " + checkpoint).status == 0);
  const auto continued = lenet + "--epochs 2 --resume " + checkpoint;
  const auto run = limited(continued, 20'000'000);
  CHECK(run.status == 1);
  CHECK(has(run.errors, "--workspace sample would need "));
  CHECK(!has(run.errors, "--batch"));
  const auto bytes = numberAfter(run.errors, "--workspace sample would need ");
  CHECK(limited(continued + " --workspace sample", bytes).status == 0);
}

TEST_CASE("where nothing leaner fits the limit has to be raised") {
  const auto run = limited("lenet --data synthetic --limit 128", 1000);
  CHECK(run.status == 1);
  CHECK(has(run.errors, "nothing leaner fits, so raise the limit"));
}

}  // namespace torchette::cli

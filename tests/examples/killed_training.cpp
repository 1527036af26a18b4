// Training in a process that is killed at any moment.
#include <doctest/doctest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "examples/training/checkpoint.h"
#include "runtime/generator.h"
#include "tests/examples/temporary_directory.h"

namespace torchette::training {

using testing::readFile;
using testing::TemporaryDirectory;

namespace {

/// A running training_program, killed at the end if it still runs.
class TrainingProgram {
 public:
  explicit TrainingProgram(std::vector<std::string> words) {
    words.insert(words.begin(), TRAINING_PROGRAM);
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    char* environment[] = {nullptr};
    if (posix_spawn(&process_, TRAINING_PROGRAM, nullptr, nullptr, arguments.data(), environment) !=
        0) {
      throw std::runtime_error("cannot start " TRAINING_PROGRAM);
    }
  }
  ~TrainingProgram() { kill(); }
  TrainingProgram(const TrainingProgram&) = delete;
  TrainingProgram& operator=(const TrainingProgram&) = delete;

  bool isRunning() {
    if (isRunning_) isRunning_ = waitpid(process_, &status_, WNOHANG) == 0;
    return isRunning_;
  }
  void kill() {
    if (!isRunning()) return;
    ::kill(process_, SIGKILL);
    waitpid(process_, &status_, 0);
    isRunning_ = false;
  }
  bool endsWell() {
    if (isRunning()) waitpid(process_, &status_, 0);
    isRunning_ = false;
    return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
  }

 private:
  pid_t process_ = 0;
  int status_ = 0;
  bool isRunning_ = true;
};

std::int64_t linesOf(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return 0;
  return std::ranges::count(readFile(path), '\n');
}

/// Epoch, loss and accuracy of each line; times differ from run to run.
std::vector<std::array<double, 3>> courseIn(const std::filesystem::path& log) {
  std::vector<std::array<double, 3>> course;
  std::istringstream lines(readFile(log));
  for (std::string line; std::getline(lines, line);) {
    const auto record = nlohmann::json::parse(line);
    course.push_back({record.at("epoch"), record.at("loss"), record.at("testAccuracy")});
  }
  return course;
}

void waitAtMost(std::int64_t microseconds, Generator& generator) {
  std::this_thread::sleep_for(std::chrono::microseconds(generator.random() % microseconds));
}

}  // namespace

TEST_CASE("training that is killed again and again takes the course of one that is not") {
  const TemporaryDirectory undisturbed, disturbed;
  REQUIRE(TrainingProgram({"train", undisturbed.path().string(), "14"}).endsWell());
  Generator generator(3);
  for (const std::int64_t epochs : {1, 3, 5, 8, 10, 12}) {
    TrainingProgram program({"train", disturbed.path().string(), "14"});
    while (program.isRunning() && linesOf(disturbed / "log.jsonl") < epochs) {
      waitAtMost(200, generator);
    }
    waitAtMost(3000, generator);
    program.kill();
    CHECK(readCheckpoint(disturbed / "checkpoint").history.size() >= std::size_t(epochs));
  }
  REQUIRE(TrainingProgram({"train", disturbed.path().string(), "14"}).endsWell());
  const auto expected = courseIn(undisturbed / "log.jsonl");
  CHECK(expected.size() == 14);
  CHECK(courseIn(disturbed / "log.jsonl") == expected);
}

TEST_CASE("a writer that is killed at any moment leaves a whole checkpoint") {
  const TemporaryDirectory directory;
  const auto path = directory / "checkpoint";
  Generator generator(4);
  for (int round = 0; round < 40; ++round) {
    TrainingProgram program({"write", path.string()});
    while (program.isRunning() && !std::filesystem::exists(path)) waitAtMost(200, generator);
    waitAtMost(12000, generator);
    program.kill();
    const auto checkpoint = readCheckpoint(path);
    REQUIRE(!checkpoint.history.empty());
    CHECK(checkpoint.history.back().epoch == std::int64_t(checkpoint.history.size()));
    CHECK(checkpoint.parameters.size() == 200'000);
  }
}

}  // namespace torchette::training

// torchette bench, as people run it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "layers/workspace_strategy.h"
#include "tests/examples/cli/program_run.h"

namespace torchette::cli {

using testing::runScript;
using testing::runTorchette;

namespace {

using Combinations = std::multiset<std::pair<std::string, std::string>>;  ///< backend, strategy

/// Each strategy on each backend that the program says is available.
Combinations availableCombinations() {
  Combinations combinations;
  for (const auto& backend : nlohmann::json::parse(runTorchette("backends --json").output)) {
    if (!backend.at("available")) continue;
    for (const auto strategy : nn::allWorkspaceStrategies()) {
      combinations.emplace(backend.at("name"), nn::nameOf(strategy));
    }
  }
  return combinations;
}

}  // namespace

TEST_CASE("bench times each strategy on each available backend and marks the best") {
  const auto run = runTorchette(
      "bench 'nn.SpatialConvolution(3,4,4,4,2,2,1,1)' --input 2x3x8x8 --repetitions 1 --backend "
      "cpu --backend simulated --json");
  CHECK(run.status == 0);
  const auto rows = nlohmann::json::parse(run.output);
  CHECK(rows.size() == 4);
  std::set<std::string> combinations;
  int fastest = 0, smallest = 0;
  for (const auto& row : rows) {
    combinations.insert(row.at("backend").get<std::string>() + "/" +
                        row.at("workspace").get<std::string>());
    CHECK(row.at("forwardMilliseconds").get<double>() > 0);
    CHECK(row.at("hostTimes") == (row.at("backend") == "simulated"));
    fastest += row.at("fastest").get<bool>();
    smallest += row.at("smallest").get<bool>();
  }
  CHECK(combinations ==
        std::set<std::string>{"cpu/batch", "cpu/sample", "simulated/batch", "simulated/sample"});
  CHECK(fastest == 1);
  CHECK(smallest == 1);
  CHECK(rows.at(0).at("workspaceBytes") == 2 * 2 * 48 * 16 * 4);
  CHECK(rows.at(1).at("workspaceBytes") == (48 * 16 + 4 * 4) * 4);
}

TEST_CASE("bench without a choice times each strategy on every available backend") {
  const auto run = runTorchette("bench 'nn.Linear(3,2)' --input 2x3 --repetitions 1 --json");
  REQUIRE(run.status == 0);
  Combinations timed;
  for (const auto& row : nlohmann::json::parse(run.output)) {
    timed.emplace(row.at("backend"), row.at("workspace"));
    CHECK(row.at("forwardMilliseconds").get<double>() > 0);
    CHECK(row.at("backwardMilliseconds").get<double>() > 0);
  }
  CHECK(timed == availableCombinations());
  CHECK(timed.contains({"cpu", "batch"}));
}

TEST_CASE("the table of the bench says which times are of the host in place of a card") {
  const auto run = runTorchette(
      "bench 'nn.Linear(3,2)' --input 2x3 --repetitions 1 --backend cpu --backend simulated");
  REQUIRE(run.status == 0);
  std::istringstream lines(run.output);
  int simulated = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool isSimulated = line.starts_with("simulated ");
    CAPTURE(line);
    CHECK((line.find("host times") != std::string::npos) == isSimulated);
    simulated += isSimulated;
  }
  CHECK(simulated == std::ssize(nn::allWorkspaceStrategies()));
}

TEST_CASE("host times are never the fastest") {
  const auto run =
      runTorchette("bench 'nn.Linear(3,2)' --input 2x3 --repetitions 1 --backend simulated --json");
  REQUIRE(run.status == 0);
  for (const auto& row : nlohmann::json::parse(run.output)) CHECK(row.at("fastest") == false);
}

TEST_CASE("a network that no memory holds gets a row of the bench that says so") {
  const std::string huge =
      "bench 'nn.SpatialConvolution(3,64,9,9,1,1,4,4)' --input 1x3x20000000x20000000 --backend "
      "cpu ";
  const auto run = runTorchette(huge + "--repetitions 1 --json");
  REQUIRE(run.status == 0);
  const auto rows = nlohmann::json::parse(run.output);
  CHECK(rows.size() == 2);
  for (const auto& row : rows) {
    CHECK(row.at("problem").get<std::string>().find("bytes") != std::string::npos);
    CHECK_FALSE(row.contains("forwardMilliseconds"));
  }
  CHECK(runTorchette(huge + "--repetitions 1").output.find("bytes") != std::string::npos);
}

TEST_CASE("a backend that is not available is refused with the reason") {
  const auto run = runScript(
      "CUDA_VISIBLE_DEVICES=-1 \"$torchette\" bench lenet --backend cuda --repetitions 1");
  CHECK(run.status == 1);
  CHECK(testing::isOneLine(run.errors));
  CHECK(run.errors.find("cuda") != std::string::npos);
}

}  // namespace torchette::cli

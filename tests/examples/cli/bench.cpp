// torchette bench, as people run it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/examples/cli/program_run.h"

namespace torchette::cli {

using testing::runTorchette;

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

TEST_CASE("a backend that is not available is named with the reason") {
  const auto run = runTorchette("bench lenet --backend cuda --repetitions 1");
  if (run.status == 0) return;  // there is a GPU
  CHECK(run.status == 1);
  CHECK(testing::isOneLine(run.errors));
  CHECK(run.errors.find("cuda") != std::string::npos);
}

}  // namespace torchette::cli

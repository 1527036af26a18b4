// The ledger against the operating system.
#include <doctest/doctest.h>

#include "examples/cli/inspection_run.h"
#include "examples/cli/process_memory.h"

namespace torchette::cli {

namespace {

/// Checks one model at batch 512, after a run at batch 8 that leaves libraries and thread stacks in
/// memory. A program of its own for every model: memory that an earlier one freed would serve the
/// next.
void checkResidentGrowth(const char* model) {
  InspectionOptions options;
  options.model = model;
  options.input = Shape{8, 1, 28, 28};
  runInspection(options);
  const auto before = measureResidentMemory();
  REQUIRE(before.has_value());
  options.input = Shape{512, 1, 28, 28};
  const auto report = runInspection(options);
  REQUIRE(report.process.has_value());
  CHECK(report.liveBytes > 50'000'000);
  const auto growth = report.process->now.bytes() - before->bytes();
  const auto allowed = report.liveBytes / 50 + 4 * 1024 * 1024;
  CHECK(growth - report.liveBytes < allowed);
  CHECK(report.liveBytes - growth < allowed);
}

}  // namespace

TEST_CASE("the resident memory of an autoencoder run grows by what the ledger counts") {
  checkResidentGrowth("autoencoder");
}

TEST_CASE("the resident memory of a lenet run grows by what the ledger counts") {
  checkResidentGrowth("lenet");
}

}  // namespace torchette::cli

// The ledger against the operating system.
#include <doctest/doctest.h>

#include "examples/cli/inspection_run.h"
#include "examples/cli/process_memory.h"

namespace torchette::cli {

TEST_CASE("the resident memory of a run grows by what the ledger counts") {
  for (const char* const model : {"autoencoder", "lenet"}) {
    CAPTURE(model);
    InspectionOptions options;
    options.model = model;
    options.input = Shape{8, 1, 28, 28};
    runInspection(options);  // libraries and thread stacks are there from now on
    const auto before = measureProcessMemory(0);
    REQUIRE(before.has_value());
    options.input = Shape{512, 1, 28, 28};
    const auto report = runInspection(options);
    REQUIRE(report.process.has_value());
    CHECK(report.liveBytes > 50'000'000);
    const auto growth = report.process->residentBytes - before->residentBytes;
    const auto allowed = report.liveBytes / 50 + 4 * 1024 * 1024;
    CHECK(growth - report.liveBytes < allowed);
    CHECK(report.liveBytes - growth < allowed);
  }
}

}  // namespace torchette::cli

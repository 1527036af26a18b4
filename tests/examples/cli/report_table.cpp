// The report as a table.
#include <doctest/doctest.h>

#include "examples/cli/report_format.h"
#include "tests/examples/cli/sample_report.h"

namespace torchette::cli {

using testing::sampleReport;

TEST_CASE("the table has a row per module and marks what another cell counts") {
  const auto text = renderTable(sampleReport());
  CHECK(
      text.starts_with("module    output  gradInput  weight  bias  other   held\n"
                       "-------------------------------------------------------\n"
                       "net       =400 B                                    0 B\n"
                       "net/conv   400 B              100 B  20 B         520 B\n"
                       "net/relu  =400 B        0 B                 40 B   64 B\n"
                       "-------------------------------------------------------\n"
                       "held       400 B        0 B   100 B  20 B   64 B  584 B\n"
                       "= shares a storage that another cell counts\n"));
}

TEST_CASE("the table is followed by the totals") {
  const auto report = sampleReport();
  CHECK(renderTable(report).ends_with(renderTotals(report)));
}

}  // namespace torchette::cli

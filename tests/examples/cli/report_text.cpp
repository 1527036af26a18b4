// The report for people: as Torch7 prints fields, and the totals.
#include <doctest/doctest.h>

#include "examples/cli/report_format.h"
#include "runtime/errors.h"
#include "tests/examples/cli/program_run.h"
#include "tests/examples/cli/sample_report.h"
#include "tests/support/check_throws.h"

namespace torchette::cli {

using testing::checkThrows;
using testing::hasLine;
using testing::sampleReport;

TEST_CASE("fields are printed as Torch7 prints them") {
  auto report = sampleReport();
  report.inspection.modules[2].fields[2].dtype = DType::int64;
  CHECK(
      renderTorch7(report).starts_with("net: nn.Sequential\n"
                                       "{\n"
                                       "  output : FloatTensor - size: 10x10\n"
                                       "}\n"
                                       "net/conv: nn.SpatialConvolution(1 -> 1, 5x5)\n"
                                       "{\n"
                                       "  output : FloatTensor - size: 10x10\n"
                                       "  weight : FloatTensor - size: 5x5\n"
                                       "  bias : FloatTensor - size: 5\n"
                                       "}\n"
                                       "net/relu: nn.ReLU\n"
                                       "{\n"
                                       "  output : FloatTensor - size: 10x10\n"
                                       "  gradInput : FloatTensor - empty\n"
                                       "  indices : LongTensor - size: 10\n"
                                       "}\n"));
}

TEST_CASE("the fields of a GPU have the types that Torch7 gives them") {
  auto report = sampleReport();
  report.inspection.modules[2].fields[2].dtype = DType::int64;
  for (const char* backend : {"cuda", "simulated"}) {
    report.run.backend = backend;
    const auto text = renderTorch7(report);
    CHECK(hasLine(text, "  weight : CudaTensor - size: 5x5"));
    CHECK(hasLine(text, "  gradInput : CudaTensor - empty"));
    CHECK(hasLine(text, "  indices : CudaLongTensor - size: 10"));
  }
}

TEST_CASE("the totals say why held bytes are not the upper bound") {
  const auto totals = renderTotals(sampleReport());
  CHECK(totals.find("upper bound            1.33 KiB           1,360  ") != std::string::npos);
  CHECK(totals.find("held                      584 B             584  ") != std::string::npos);
  CHECK(totals.find("difference                776 B             776  ") != std::string::npos);
  CHECK(totals.find(" 800  net output = net/conv output = net/relu output\n") != std::string::npos);
  CHECK(totals.find(" -24  unused in the storage of net/relu indices\n") != std::string::npos);
}

TEST_CASE("the totals say when the peak was reached last and who held most then") {
  const auto totals = renderTotals(sampleReport());
  CHECK(totals.find("peak                     1000 B           1,000  in backward, at net/relu "
                    "indices; the largest holders then:\n") != std::string::npos);
  CHECK(totals.find(" 800  net/conv output\n") != std::string::npos);
  CHECK(totals.find(" 200  scratch\n") != std::string::npos);
}

TEST_CASE("a report without events still tells the peak") {
  auto report = sampleReport();
  report.timeline.clear();
  CHECK(findPeakEvent(report) == nullptr);
  CHECK(renderTotals(report).find("1,000  over the run; ") != std::string::npos);
}

TEST_CASE("holders beyond the largest are summed up") {
  auto report = sampleReport();
  report.peakHoldings.clear();
  for (int i = 0; i < 9; ++i) report.peakHoldings.push_back({"owner", "field", 10});
  CHECK(renderTotals(report).find(" 30  in 3 more\n") != std::string::npos);
}

TEST_CASE("what is outside the allocator is a line of its own unless it is unknown") {
  auto report = sampleReport();
  const auto totals = renderTotals(report);
  CHECK(hasLine(totals,
                "  outside the allocator  4.27 KiB           4,376  4.88 KiB "
                "resident, less what is live:"));
  CHECK(totals.find(" 3,500  the program and its libraries, mapped from files\n") !=
        std::string::npos);
  CHECK(totals.find(" 100  resident beside them before the network was built\n") !=
        std::string::npos);
  CHECK(totals.find(" 776  taken since, such as OpenBLAS's buffers\n") != std::string::npos);
  report.process.reset();
  CHECK(renderTotals(report).find("outside the allocator") == std::string::npos);
}

TEST_CASE("an unknown format is refused with the names there are") {
  CHECK(reportFormatNamed("table").name == "table");
  checkThrows<ArgumentError>([] { reportFormatNamed("xml"); }, {"'xml'", "torch7, table, json"});
}

TEST_CASE("the totals tell the context of a card from what the network made of it") {
  auto report = sampleReport();
  CHECK(renderTotals(report).find("card") == std::string::npos);
  report.card = CardMemory{3000, 5048, 8048};
  const auto totals = renderTotals(report);
  CHECK(totals.find("card: before context   2.93 KiB           3,000  in use by all programs\n") !=
        std::string::npos);
  CHECK(
      totals.find("card: context          2.00 KiB           2,048  taken when it was created\n") !=
      std::string::npos);
  CHECK(totals.find("card: model            2.93 KiB           3,000  taken since then\n") !=
        std::string::npos);
  CHECK(totals.find("card: ledger              624 B             624  what is live of that\n") !=
        std::string::npos);
  CHECK(totals.find("card: difference       2.32 KiB           2,376  model less ledger") !=
        std::string::npos);
}

TEST_CASE("a card whose first reading is missing is shown without the context") {
  auto report = sampleReport();
  report.card = CardMemory{std::nullopt, 5048, 8048};
  const auto totals = renderTotals(report);
  CHECK(totals.find("context") == std::string::npos);
  CHECK(totals.find("card: model            2.93 KiB           3,000  ") != std::string::npos);
}

}  // namespace torchette::cli

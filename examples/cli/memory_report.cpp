// Gathering a report from a network and its ledger.
#include "examples/cli/memory_report.h"

#include <algorithm>
#include <utility>

namespace torchette::cli {

MemoryReport makeMemoryReport(RunDescription run, nn::Module& network, const Ledger& ledger) {
  MemoryReport report;
  report.run = std::move(run);
  report.inspection = nn::inspect(network);
  report.liveBytes = ledger.liveBytes();
  report.peakBytes = ledger.peakBytes();
  report.peakHoldings = ledger.peakHoldings();
  report.timeline = ledger.events();
  if (report.run.isEstimate) return report;
  report.card = measureCardMemory(report.run.backend);
  const bool isInMainMemory = report.run.backend != "cuda";
  report.process = measureProcessMemory(isInMainMemory ? report.liveBytes : 0);
  return report;
}

const LedgerEvent* findPeakEvent(const MemoryReport& report) {
  const auto found =
      std::find_if(report.timeline.rbegin(), report.timeline.rend(), [&](const LedgerEvent& event) {
        return event.kind != LedgerEvent::Kind::freed && event.liveBytes == report.peakBytes;
      });
  return found == report.timeline.rend() ? nullptr : &*found;
}

}  // namespace torchette::cli

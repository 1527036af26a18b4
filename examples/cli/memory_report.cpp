// Gathering a report from a network and its ledger.
#include "examples/cli/memory_report.h"

#include <algorithm>
#include <utility>

namespace torchette::cli {

namespace {

std::optional<ProcessMemory> processMemoryOf(const Machine& machine) {
  const auto now = measureResidentMemory();
  if (!now || !machine.residentBefore) return std::nullopt;
  const bool isInMainMemory = machine.backend->name() != "cuda";
  return ProcessMemory{*machine.residentBefore, *now,
                       isInMainMemory ? machine.ledger->liveBytes() : 0};
}

}  // namespace

std::string nameOf(nn::MemorySharing sharing) {
  switch (sharing) {
    case nn::MemorySharing::workspace:
      return "workspace";
    case nn::MemorySharing::plan:
      return "plan";
    default:
      return "off";
  }
}

MemoryReport makeMemoryReport(RunDescription run, nn::Module& network, const Machine& machine) {
  const auto& ledger = *machine.ledger;
  MemoryReport report;
  report.run = std::move(run);
  report.share = nameOf(network.memorySharing());
  report.inspection = nn::inspect(network);
  report.liveBytes = ledger.liveBytes();
  report.peakBytes = ledger.peakBytes();
  report.peakHoldings = ledger.peakHoldings();
  report.timeline = ledger.events();
  if (report.run.isEstimate) return report;
  report.card = measureCardMemory(report.run.backend);
  report.process = processMemoryOf(machine);
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

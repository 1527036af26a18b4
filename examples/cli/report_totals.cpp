// The totals below a report for people.
#include <fmt/format.h>

#include <algorithm>

#include "examples/cli/byte_size.h"
#include "examples/cli/report_format.h"
#include "examples/cli/storage_sharing.h"

namespace torchette::cli {

namespace {

/// How many reasons or holders are listed; the rest is summed up.
constexpr std::size_t mostListed = 6;

std::string totalLine(const std::string& name, std::int64_t bytes, const std::string& note) {
  return fmt::format("  {:<23}{:>8}{:>16}  {}\n", name, humanBytes(bytes), groupedDigits(bytes),
                     note);
}

struct Detail {
  std::int64_t bytes = 0;
  std::string text;
};

std::string detailLines(const std::vector<Detail>& details) {
  std::string lines;
  std::int64_t remainingBytes = 0;
  for (std::size_t i = 0; i < details.size(); ++i) {
    if (i >= mostListed) {
      remainingBytes += details[i].bytes;
      continue;
    }
    lines += fmt::format("{:>49}  {}\n", groupedDigits(details[i].bytes), details[i].text);
  }
  if (details.size() > mostListed) {
    lines += fmt::format("{:>49}  in {} more\n", groupedDigits(remainingBytes),
                         details.size() - mostListed);
  }
  return lines;
}

/// "net/fc1 output = net/relu output", shortened where many tensors share.
std::string joined(const std::vector<std::string>& tensors) {
  constexpr std::size_t mostNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(mostNamed, tensors.size()); ++i) {
    text += (i == 0 ? "" : " = ") + tensors[i];
  }
  if (tensors.size() > mostNamed) text += fmt::format(" = {} more", tensors.size() - mostNamed);
  return text;
}

/// Why held bytes are not the upper bound: what each storage saves, or leaves unused.
std::vector<Detail> reasonsForDifference(const nn::Inspection& inspection) {
  std::vector<Detail> reasons;
  for (const auto& use : storageUses(inspection)) {
    if (use.savedBytes() > 0) reasons.push_back({use.savedBytes(), joined(use.tensors)});
    if (use.savedBytes() < 0) {
      reasons.push_back({use.savedBytes(), "unused in the storage of " + joined(use.tensors)});
    }
  }
  std::ranges::stable_sort(reasons, std::ranges::greater{},
                           [](const Detail& reason) { return std::abs(reason.bytes); });
  return reasons;
}

std::string differenceLines(const nn::Inspection& inspection) {
  const auto bytes = inspection.totals.upperBoundBytes - inspection.totals.heldBytes;
  const auto reasons = reasonsForDifference(inspection);
  if (reasons.empty()) return totalLine("difference", bytes, "no two tensors share a storage");
  return totalLine("difference", bytes, "tensors that share a storage:") + detailLines(reasons);
}

std::string peakLines(const MemoryReport& report) {
  const auto* event = findPeakEvent(report);
  const auto when = event == nullptr
                        ? std::string("over the run")
                        : fmt::format("in {}, at {} {}", event->phase, event->owner, event->field);
  std::vector<Detail> holders;
  for (const auto& [owner, field, bytes] : report.peakHoldings) {
    holders.push_back({bytes, owner.empty() ? field : owner + " " + field});
  }
  return totalLine("peak", report.peakBytes, when + "; the largest holders then:") +
         detailLines(holders);
}

std::string planLines(const MemoryReport& report) {
  if (!report.plan) return "";
  return totalLine("memory plan", report.plan->arenaBytes,
                   "one arena for the intermediate tensors") +
         totalLine("largest live set", report.plan->largestLiveBytes, "no plan can do with less");
}

std::string outsideLines(const MemoryReport& report) {
  if (!report.process) return "";
  const auto& process = *report.process;
  return totalLine("outside the allocator", process.outsideBytes(),
                   humanBytes(process.now.bytes()) + " resident, less what is live:") +
         detailLines(
             {{process.now.fileBytes, "the program and its libraries, mapped from files"},
              {process.before.otherBytes, "resident beside them before the network was built"},
              {process.takenBesideBytes(), "taken since, such as OpenBLAS's buffers"}});
}

/// As the table in docs/gpu.md has them.
std::string cardLines(const MemoryReport& report) {
  if (!report.card) return "";
  const auto& [before, afterContext, now] = *report.card;
  std::string lines;
  if (before) {
    lines = totalLine("card: before context", *before, "in use by all programs") +
            totalLine("card: context", afterContext - *before, "taken when it was created");
  }
  return lines + totalLine("card: model", now - afterContext, "taken since then") +
         totalLine("card: ledger", report.liveBytes, "what is live of that") +
         totalLine("card: difference", report.card->differenceBytes(report.liveBytes),
                   "model less ledger: kernels, cuBLAS and rounding");
}

}  // namespace

std::string renderTotals(const MemoryReport& report) {
  const auto& totals = report.inspection.totals;
  const auto& run = report.run;
  return fmt::format("{} of {} on {}, workspace {}, {}{}, input {}\n",
                     run.isEstimate ? "estimated totals" : "totals", run.model, run.backend,
                     run.workspace, report.share == "off" ? "" : "sharing " + report.share + ", ",
                     run.mode, run.input.toString()) +
         totalLine("upper bound", totals.upperBoundBytes,
                   "every tensor counted as if it had a storage of its own") +
         totalLine("held", totals.heldBytes, "every storage counted once") +
         differenceLines(report.inspection) +
         totalLine("workspace", totals.workspaceBytes, "finput and fgradInput") +
         totalLine("parameters", totals.parameterBytes, "without their gradients") +
         totalLine("live", report.liveBytes,
                   "held, and what is not the network's, such as the input") +
         planLines(report) + peakLines(report) + outsideLines(report) + cardLines(report);
}

}  // namespace torchette::cli

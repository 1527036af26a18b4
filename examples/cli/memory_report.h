// MemoryReport: what inspect and train --inspect found, before it is written in any format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "examples/cli/card_memory.h"
#include "examples/cli/machine.h"
#include "examples/cli/pass_recorder.h"
#include "examples/cli/process_memory.h"
#include "layers/arena_plan.h"
#include "layers/inspection.h"
#include "runtime/ledger.h"

namespace torchette::cli {

/// What was run.
struct RunDescription {
  std::string model;
  std::string backend;
  std::string workspace;  ///< the strategy in use: "batch", "sample"
  std::string mode;       ///< "training" or "evaluate"
  Shape input;
  bool isEstimate = false;  ///< nothing was computed and no memory taken
};

/// "off", "workspace" or "plan"; what --share takes.
std::string nameOf(nn::MemorySharing sharing);

struct MemoryReport {
  RunDescription run;
  std::string share = "off";  ///< how the network shares memory, see nameOf()
  nn::Inspection inspection;
  std::int64_t liveBytes = 0;  ///< all that the ledger counts: the network and what it was fed
  std::int64_t peakBytes = 0;
  std::vector<Holding> peakHoldings;     ///< largest first
  std::vector<LedgerEvent> timeline;     ///< empty unless the ledger recorded events
  std::vector<PassMark> passes;          ///< of the modules, where they were recorded
  std::optional<ProcessMemory> process;  ///< empty if unknown
  std::optional<CardMemory> card;        ///< empty without a GPU
  std::optional<nn::ArenaPlan> plan;     ///< in use, if there is one
};

/// What `network` and the machine's ledger hold now.
MemoryReport makeMemoryReport(RunDescription run, nn::Module& network, const Machine& machine);

/// The event that reached the peak, the last one if several did; null without events.
const LedgerEvent* findPeakEvent(const MemoryReport& report);

}  // namespace torchette::cli

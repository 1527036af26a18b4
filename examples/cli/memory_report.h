// MemoryReport: what inspect and train --inspect found, before it is written in any format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "examples/cli/card_memory.h"
#include "examples/cli/process_memory.h"
#include "layers/arena_plan.h"
#include "layers/inspection.h"
#include "runtime/ledger.h"

namespace torchette::cli {

/// What was run, as the options said it.
struct RunDescription {
  std::string model;
  std::string backend;
  std::string workspace;      ///< the strategy in use: "batch", "sample"
  std::string share = "off";  ///< which layers were made to share workspaces
  std::string mode;           ///< "training" or "evaluate"
  Shape input;
  bool isEstimate = false;  ///< nothing was computed and no memory taken
};

struct MemoryReport {
  RunDescription run;
  nn::Inspection inspection;
  std::int64_t liveBytes = 0;  ///< all that the ledger counts: the network and what it was fed
  std::int64_t peakBytes = 0;
  std::vector<Holding> peakHoldings;     ///< largest first
  std::vector<LedgerEvent> timeline;     ///< empty unless the ledger recorded events
  std::optional<ProcessMemory> process;  ///< empty if unknown
  std::optional<CardMemory> card;        ///< empty without a GPU
  std::optional<nn::ArenaPlan> plan;     ///< in use, if there is one
};

/// What `network` and `ledger` hold now. Resident bytes count only what host memory holds.
MemoryReport makeMemoryReport(RunDescription run, nn::Module& network, const Ledger& ledger);

/// The event that reached the peak, the last one if several did; null without events.
const LedgerEvent* findPeakEvent(const MemoryReport& report);

}  // namespace torchette::cli

// ReportComparison: an estimate held against a measurement, byte by byte.
#pragma once

#include <string>

#include "examples/cli/memory_report.h"

namespace torchette::cli {

struct ReportComparison {
  std::int64_t differences = 0;  ///< fields, totals or events that differ
  std::string text;              ///< for people; names the first differences
};

/// Compares every field of every module, the totals, the peak, and each change of the live bytes.
ReportComparison compareReports(const MemoryReport& estimated, const MemoryReport& measured);

}  // namespace torchette::cli

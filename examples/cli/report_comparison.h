// ReportComparison: an estimate held against a measurement, byte by byte.
#pragma once

#include <string>
#include <vector>

#include "examples/cli/memory_report.h"

namespace torchette::cli {

struct ReportComparison {
  std::int64_t compared = 0;             ///< numbers that both reports have
  std::vector<std::string> differences;  ///< a sentence for each that is not the same
  std::int64_t peakBytes = 0;            ///< measured
};

/// Compares every field of every module, the totals, the peak, and each change of the live bytes.
ReportComparison compareReports(const MemoryReport& estimated, const MemoryReport& measured);

/// For people; names the first differences.
std::string comparisonAsText(const ReportComparison& comparison);
/// One JSON document with the members as keys.
std::string comparisonAsJson(const ReportComparison& comparison);

}  // namespace torchette::cli

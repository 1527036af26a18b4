// ReportFormat: the ways in which a memory report can be written. One file per format.
#pragma once

#include <string>
#include <vector>

#include "examples/cli/memory_report.h"

namespace torchette::cli {

/// Module by module, fields as Torch7 prints them, then the totals.
std::string renderTorch7(const MemoryReport& report);
/// A row per layer, a column per field, then the totals.
std::string renderTable(const MemoryReport& report);
/// One JSON document: the run, modules with their fields, totals, process, timeline.
std::string renderJson(const MemoryReport& report);

/// One self-contained HTML page: a table, bars per layer, a timeline of live bytes.
std::string renderHtml(const MemoryReport& report);
/// Chrome trace event format: a counter of live bytes, a slice per layer and pass.
std::string renderTrace(const MemoryReport& report);

/// The lines below a report for people: upper bound, held and why they differ, workspace,
/// parameters, peak and its holders, and what is outside the allocator.
std::string renderTotals(const MemoryReport& report);

struct ReportFormat {
  std::string name;
  std::string (*render)(const MemoryReport& report);
};

/// The first one is the default.
const std::vector<ReportFormat>& reportFormats();
/// Throws ArgumentError that lists the names.
const ReportFormat& reportFormatNamed(const std::string& name);

}  // namespace torchette::cli

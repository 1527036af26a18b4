// Options and output that inspect and estimate have in common.
#pragma once

#include <string>

#include "examples/cli/inspection_run.h"
#include "examples/cli/report_format.h"

namespace CLI {
class App;
}

namespace torchette::cli {

/// In which form a report goes where.
struct ReportOutput {
  ReportFormat format = reportFormats().front();
  std::string file;  ///< empty: standard output
};

/// MODEL, --input, --mode, --optimizer, --seed, --workspace, --share, and those of
/// addMachineOptions.
void addInspectionOptions(CLI::App& command, InspectionOptions& options);
/// --format, --json, --output
void addOutputOptions(CLI::App& command, ReportOutput& output);

/// Throws FileError unless the output file can be written; call it before long work.
void requireWritable(const ReportOutput& output);
void writeReport(const MemoryReport& report, const ReportOutput& output);
/// Writes any other text where the report would go.
void writeText(const std::string& text, const ReportOutput& output);

}  // namespace torchette::cli

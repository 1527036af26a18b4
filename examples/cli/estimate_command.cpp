// torchette estimate: the report of inspect without computing or taking memory.
#include <CLI/CLI.hpp>
#include <memory>

#include "examples/cli/command.h"
#include "examples/cli/inspection_options.h"
#include "examples/cli/report_comparison.h"
#include "examples/cli/standard_output.h"
#include "runtime/errors.h"

namespace torchette::cli {

namespace {

struct EstimateOptions {
  InspectionOptions inspection;
  ReportOutput output;
  bool isCompared = false;
};

constexpr const char* examples = R"(Examples:
  torchette estimate vgg-a --input 16x3x224x224 --format table
  torchette estimate vgg-a --input 256x3x224x224 --backend cuda
  torchette estimate lenet --compare)";

InspectionOptions withEstimate(InspectionOptions options, bool isEstimate) {
  options.machine.isEstimate = isEstimate;
  return options;
}

void compare(const InspectionOptions& options) {
  const auto comparison = compareReports(runInspection(withEstimate(options, true)),
                                         runInspection(withEstimate(options, false)));
  print(comparison.text);
  if (comparison.differences > 0) {
    throw StateError("", "the estimate differs from the measurement in " +
                             std::to_string(comparison.differences) + " places");
  }
}

void estimate(const EstimateOptions& options) {
  if (options.isCompared) return compare(options.inspection);
  requireWritable(options.output);
  writeReport(runInspection(withEstimate(options.inspection, true)), options.output);
}

}  // namespace

void addEstimateCommand(CLI::App& program, Invocation& invocation) {
  const auto options = std::make_shared<EstimateOptions>();
  auto& command = *program.add_subcommand(
      "estimate", "Tell what inspect would report, without computing or taking memory");
  command.footer(examples);
  addInspectionOptions(command, options->inspection);
  addOutputOptions(command, options->output);
  command.add_flag("--compare", options->isCompared,
                   "Run the real thing too and print the difference, which must be zero");
  command.callback(
      [options, &invocation] { invocation.action = [options] { estimate(*options); }; });
}

}  // namespace torchette::cli

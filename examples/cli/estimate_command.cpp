// torchette estimate: the report of inspect without computing or taking memory.
#include <CLI/CLI.hpp>
#include <memory>

#include "examples/cli/command.h"
#include "examples/cli/inspection_options.h"
#include "examples/cli/report_comparison.h"
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

void compare(const EstimateOptions& options) {
  const auto comparison = compareReports(runInspection(withEstimate(options.inspection, true)),
                                         runInspection(withEstimate(options.inspection, false)));
  const bool isJson = options.output.format.name == "json";
  writeText(isJson ? comparisonAsJson(comparison) : comparisonAsText(comparison), options.output);
  if (!comparison.differences.empty()) {
    throw StateError("", "the estimate differs from the measurement in " +
                             std::to_string(comparison.differences.size()) + " places");
  }
}

void estimate(const EstimateOptions& options) {
  requireWritable(options.output);
  if (options.isCompared) return compare(options);
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
  command
      .add_flag("--compare", options->isCompared,
                "Run the real thing too and print the difference, which must be zero")
      ->excludes(command.get_option("--format"));
  command.callback(
      [options, &invocation] { invocation.action = [options] { estimate(*options); }; });
}

}  // namespace torchette::cli

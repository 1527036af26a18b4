// Reading the options of inspect and estimate, and writing their reports.
#include "examples/cli/inspection_options.h"

#include <CLI/CLI.hpp>

#include "examples/cli/options.h"
#include "examples/cli/standard_output.h"
#include "examples/training/atomic_file.h"
#include "runtime/errors.h"

namespace torchette::cli {

namespace {

bool isTraining(const std::string& mode) {
  if (mode == "training") return true;
  if (mode == "evaluate") return false;
  throw ArgumentError("", "there is no mode '" + mode + "'; the modes are training, evaluate");
}

const std::string& optimizerNamed(const std::string& name) {
  if (name == "none" || name == "sgd" || name == "adam") return name;
  throw ArgumentError("", "there is no optimizer '" + name + "'; it is none, sgd or adam");
}

}  // namespace

void addInspectionOptions(CLI::App& command, InspectionOptions& options) {
  command.add_option("MODEL", options.model, "A built-in name, or an expression in Torch7's words")
      ->type_name("")
      ->required();
  addParsedOption(command, "--input",
                  "Shape of the input; default: 16 samples of what a built-in model expects",
                  [&options](const std::string& text) { options.input = parseShape(text); })
      ->type_name("SHAPE");
  addParsedOption(command, "--mode",
                  "training (default): forward and backward; evaluate: forward only",
                  [&options](const std::string& text) { options.isTraining = isTraining(text); })
      ->type_name("MODE");
  addParsedOption(command, "--optimizer",
                  "none (default), sgd (with momentum) or adam: flatten the parameters and take a "
                  "step after backward, in training",
                  [&options](const std::string& text) { options.optimizer = optimizerNamed(text); })
      ->type_name("NAME");
  addParsedOption(command, "--seed", "Of the random weights and input; default 1",
                  [&options](const std::string& text) { options.seed = parseSeed(text); })
      ->type_name("N");
  addWorkspaceOption(command, options.workspaceStrategy);
  addSharingOption(command, options.sharing);
  addMachineOptions(command, options.machine);
}

void addOutputOptions(CLI::App& command, ReportOutput& output) {
  auto* format = addParsedOption(
      command, "--format",
      "How to write the report: torch7 (default), table, json, html (a page) or trace (Perfetto)",
      [&output](const std::string& text) { output.format = reportFormatNamed(text); });
  format->type_name("FORMAT");
  command
      .add_flag_callback(
          "--json", [&output] { output.format = reportFormatNamed("json"); },
          "Short for --format json")
      ->excludes(format);
  command.add_option("-o,--output", output.file, "Write the report to this file instead")
      ->type_name("FILE");
}

void requireWritable(const ReportOutput& output) {
  if (!output.file.empty()) training::requireReplaceable(output.file);
}

void writeReport(const MemoryReport& report, const ReportOutput& output) {
  writeText(output.format.render(report), output);
}

void writeText(const std::string& text, const ReportOutput& output) {
  if (output.file.empty()) {
    print(text);
  } else {
    training::replaceFile(output.file, text);
  }
}

}  // namespace torchette::cli

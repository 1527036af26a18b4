// torchette inspect: runs a network once and reports every tensor of every layer.
#include <CLI/CLI.hpp>
#include <memory>

#include "examples/cli/command.h"
#include "examples/cli/inspection_run.h"
#include "examples/cli/options.h"
#include "examples/cli/report_format.h"
#include "examples/cli/standard_output.h"
#include "examples/training/atomic_file.h"
#include "runtime/errors.h"

namespace torchette::cli {

namespace {

struct InspectOptions {
  InspectionOptions inspection;
  ReportFormat format = reportFormats().front();
  std::string file;
};

constexpr const char* examples = R"(Examples:
  torchette inspect lenet --format table
  torchette inspect 'nn.SpatialConvolution(3,4,4,4,2,2,1,1)' --input 16x3x32x32
  torchette inspect autoencoder --workspace sample --mode evaluate --json -o autoencoder.json)";

bool isTraining(const std::string& mode) {
  if (mode == "training") return true;
  if (mode == "evaluate") return false;
  throw ArgumentError("", "there is no mode '" + mode + "'; the modes are training, evaluate");
}

void inspect(const InspectOptions& options) {
  if (!options.file.empty()) training::requireReplaceable(options.file);
  const auto text = options.format.render(runInspection(options.inspection));
  if (options.file.empty()) {
    print(text);
  } else {
    training::replaceFile(options.file, text);
  }
}

void addOutputOptions(CLI::App& command, InspectOptions& options) {
  auto* format = addParsedOption(
      command, "--format", "How to write the report: torch7 (default), table or json",
      [&options](const std::string& text) { options.format = reportFormatNamed(text); });
  format->type_name("FORMAT");
  command
      .add_flag_callback(
          "--json", [&options] { options.format = reportFormatNamed("json"); },
          "Short for --format json")
      ->excludes(format);
  command.add_option("-o,--output", options.file, "Write the report to this file instead")
      ->type_name("FILE");
}

}  // namespace

void addInspectCommand(CLI::App& program, Invocation& invocation) {
  const auto options = std::make_shared<InspectOptions>();
  auto& inspection = options->inspection;
  auto& command =
      *program.add_subcommand("inspect", "Run a network once and list every tensor of every layer");
  command.footer(examples);
  command
      .add_option("MODEL", inspection.model, "A built-in name, or an expression in Torch7's words")
      ->type_name("")
      ->required();
  addParsedOption(command, "--input",
                  "Shape of the input; default: 16 samples of what a built-in model expects",
                  [&inspection](const std::string& text) { inspection.input = parseShape(text); })
      ->type_name("SHAPE");
  addParsedOption(
      command, "--mode", "training (default): forward and backward; evaluate: forward only",
      [&inspection](const std::string& text) { inspection.isTraining = isTraining(text); })
      ->type_name("MODE");
  addParsedOption(command, "--seed", "Of the random weights and input; default 1",
                  [&inspection](const std::string& text) { inspection.seed = parseSeed(text); })
      ->type_name("N");
  addWorkspaceOption(command, inspection.workspaceStrategy);
  addMachineOptions(command, inspection.machine);
  addOutputOptions(command, *options);
  command.callback(
      [options, &invocation] { invocation.action = [options] { inspect(*options); }; });
}

}  // namespace torchette::cli

// torchette inspect: runs a network once and reports every tensor of every layer.
#include <CLI/CLI.hpp>
#include <memory>

#include "examples/cli/command.h"
#include "examples/cli/inspection_options.h"

namespace torchette::cli {

namespace {

struct InspectOptions {
  InspectionOptions inspection;
  ReportOutput output;
};

constexpr const char* examples = R"(Examples:
  torchette inspect lenet --format table
  torchette inspect 'nn.SpatialConvolution(3,4,4,4,2,2,1,1)' --input 16x3x32x32
  torchette inspect autoencoder --mode evaluate --share plan --format html -o autoencoder.html)";

void inspect(const InspectOptions& options) {
  requireWritable(options.output);
  writeReport(runInspection(options.inspection), options.output);
}

}  // namespace

void addInspectCommand(CLI::App& program, Invocation& invocation) {
  const auto options = std::make_shared<InspectOptions>();
  auto& command =
      *program.add_subcommand("inspect", "Run a network once and list every tensor of every layer");
  command.footer(examples);
  addInspectionOptions(command, options->inspection);
  addOutputOptions(command, options->output);
  command.callback(
      [options, &invocation] { invocation.action = [options] { inspect(*options); }; });
}

}  // namespace torchette::cli

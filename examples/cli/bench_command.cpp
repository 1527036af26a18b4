// torchette bench: times every workspace strategy on every available backend.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "examples/cli/bench_run.h"
#include "examples/cli/byte_size.h"
#include "examples/cli/command.h"
#include "examples/cli/json_text.h"
#include "examples/cli/options.h"
#include "examples/cli/standard_output.h"
#include "examples/cli/text_table.h"
#include "runtime/errors.h"

namespace torchette::cli {

namespace {

constexpr const char* examples = R"(Examples:
  torchette bench lenet --input 64x1x28x28
  torchette bench 'nn.SpatialConvolution(64,64,3,3,1,1,1,1)' --input 8x64x56x56 --backend cpu)";

std::string remarkOn(const BenchResult& result) {
  std::string remark;
  if (result.isFastest) remark += "fastest ";
  if (result.isSmallest) remark += "smallest ";
  if (result.hasHostTimes()) remark += "(host times, not a card's)";
  return remark;
}

std::string resultsAsTable(const std::vector<BenchResult>& results) {
  TextTable table({{"backend", Alignment::left},
                   {"workspace", Alignment::left},
                   {"forward ms"},
                   {"backward ms"},
                   {"workspace bytes"},
                   {"peak bytes"},
                   {"", Alignment::left}});
  for (const auto& result : results) {
    if (!result.problem.empty()) {
      table.addRow({result.backend, result.workspace, "", "", "", "", result.problem});
      continue;
    }
    table.addRow(
        {result.backend, result.workspace, fmt::format("{:.3f}", result.forwardMilliseconds),
         fmt::format("{:.3f}", result.backwardMilliseconds), groupedDigits(result.workspaceBytes),
         groupedDigits(result.peakBytes), remarkOn(result)});
  }
  return table.toString();
}

nlohmann::ordered_json resultAsJson(const BenchResult& result) {
  if (!result.problem.empty()) {
    return {
        {"backend", result.backend}, {"workspace", result.workspace}, {"problem", result.problem}};
  }
  return {{"backend", result.backend},
          {"workspace", result.workspace},
          {"forwardMilliseconds", result.forwardMilliseconds},
          {"backwardMilliseconds", result.backwardMilliseconds},
          {"workspaceBytes", result.workspaceBytes},
          {"peakBytes", result.peakBytes},
          {"fastest", result.isFastest},
          {"smallest", result.isSmallest},
          {"hostTimes", result.hasHostTimes()}};
}

std::string resultsAsJson(const std::vector<BenchResult>& results) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& result : results) rows.push_back(resultAsJson(result));
  return jsonText(rows);
}

/// "" if there is such a backend, else what is wrong.
std::string checkedBackendName(const std::string& name) {
  try {
    requireBackendName(name);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

void addBenchCommand(CLI::App& program, Invocation& invocation) {
  const auto options = std::make_shared<BenchOptions>();
  const auto isJson = std::make_shared<bool>(false);
  auto& command = *program.add_subcommand(
      "bench", "Time every workspace strategy on every available backend, forward and backward");
  command.footer(examples);
  command
      .add_option("MODEL", options->model, "A built-in name, or an expression in Torch7's words")
      ->type_name("")
      ->required();
  addParsedOption(command, "--input",
                  "Shape of the input; default: 16 samples of what a built-in model expects",
                  [options](const std::string& text) { options->input = parseShape(text); })
      ->type_name("SHAPE");
  command.add_option("--backend", options->backends, "Only this one; may be given several times")
      ->allow_extra_args(false)
      ->check(checkedBackendName)
      ->type_name("NAME");
  addParsedOption(command, "--repetitions", "Timed rounds, of which medians are shown; default 11",
                  [options](const std::string& text) {
                    constexpr std::int64_t most = 1'000'000;
                    options->repetitions = parseWhole(text, 1, most);
                  })
      ->type_name("N");
  addParsedOption(command, "--threads", "Pieces of work at once; default: the backend's",
                  [options](const std::string& text) {
                    constexpr std::int64_t most = 1024;
                    options->threads = static_cast<int>(parseWhole(text, 1, most));
                  })
      ->type_name("N");
  command.add_flag("--json", *isJson, "Print one JSON document");
  command.callback([options, isJson, &invocation] {
    invocation.action = [options, isJson] {
      const auto results = runBench(*options);
      print(*isJson ? resultsAsJson(results) : resultsAsTable(results));
    };
  });
}

}  // namespace torchette::cli

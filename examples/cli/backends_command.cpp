// torchette backends: lists where a network can be computed.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "examples/cli/command.h"
#include "examples/cli/json_text.h"
#include "examples/cli/machine.h"
#include "examples/cli/standard_output.h"
#include "examples/cli/text_table.h"

namespace torchette::cli {

namespace {

constexpr const char* examples = R"(Examples:
  torchette backends
  torchette backends --json)";

std::string backendsAsTable() {
  TextTable table({{"backend", Alignment::left},
                   {"state", Alignment::left},
                   {"lanes"},
                   {"what it is or why it is not available", Alignment::left}});
  for (const auto& [status, lanes] : summariseBackends()) {
    table.addRow({status.name, status.isAvailable ? "available" : "not available",
                  status.isAvailable ? std::to_string(lanes) : "", status.detail});
  }
  return table.toString();
}

std::string backendsAsJson() {
  auto backends = nlohmann::ordered_json::array();
  for (const auto& [status, lanes] : summariseBackends()) {
    nlohmann::ordered_json backend = {
        {"name", status.name}, {"available", status.isAvailable}, {"detail", status.detail}};
    if (status.isAvailable) backend["lanes"] = lanes;
    backends.push_back(std::move(backend));
  }
  return jsonText(backends);
}

}  // namespace

void addBackendsCommand(CLI::App& program, Invocation& invocation) {
  const auto isJson = std::make_shared<bool>(false);
  auto& command = *program.add_subcommand(
      "backends",
      "List the backends with the pieces of work (lanes) that they run at once, or why "
      "one is not available");
  command.footer(examples);
  command.add_flag("--json", *isJson, "Print one JSON document");
  command.callback([isJson, &invocation] {
    invocation.action = [isJson] { print(*isJson ? backendsAsJson() : backendsAsTable()); };
  });
}

}  // namespace torchette::cli

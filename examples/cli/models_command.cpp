// torchette models: lists the built-in models.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "examples/cli/byte_size.h"
#include "examples/cli/command.h"
#include "examples/cli/json_text.h"
#include "examples/cli/machine.h"
#include "examples/cli/standard_output.h"
#include "examples/cli/text_table.h"
#include "layers/models/model.h"

namespace torchette::cli {

namespace {

constexpr const char* examples = R"(Examples:
  torchette models
  torchette models --json)";

std::int64_t parameterCount(const nn::BuiltInModel& builtIn) {
  const auto machine = makeMachine({.isEstimate = true});
  const auto model = nn::makeModel(std::string(builtIn.name), {machine.backend});
  std::int64_t count = 0;
  for (const auto* parameter : model.network->parameters().values) count += parameter->elements();
  return count;
}

std::string modelsAsTable() {
  TextTable table({{"model", Alignment::left},
                   {"parameters"},
                   {"input", Alignment::left},
                   {"what it is", Alignment::left}});
  for (const auto& model : nn::builtInModels()) {
    table.addRow({std::string(model.name), groupedDigits(parameterCount(model)),
                  model.sampleShape.toString(), std::string(model.summary)});
  }
  return table.toString();
}

std::string modelsAsJson() {
  auto models = nlohmann::ordered_json::array();
  for (const auto& model : nn::builtInModels()) {
    models.push_back({{"name", model.name},
                      {"summary", model.summary},
                      {"parameters", parameterCount(model)},
                      {"sampleShape", model.sampleShape.extents()}});
  }
  return jsonText(models);
}

}  // namespace

void addModelsCommand(CLI::App& program, Invocation& invocation) {
  const auto isJson = std::make_shared<bool>(false);
  auto& command = *program.add_subcommand(
      "models", "List the built-in models with their parameters and the input of one sample");
  command.footer(examples);
  command.add_flag("--json", *isJson, "Print one JSON document");
  command.callback([isJson, &invocation] {
    invocation.action = [isJson] { print(*isJson ? modelsAsJson() : modelsAsTable()); };
  });
}

}  // namespace torchette::cli

// Wording what torchette train says.
#include "examples/cli/train_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "examples/cli/byte_size.h"
#include "examples/cli/json_text.h"
#include "examples/cli/report_format.h"
#include "examples/training/log.h"

namespace torchette::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string testText(const training::EpochRecord& record) {
  if (record.testAccuracy) return fmt::format("test accuracy {:.2f} %", 100 * *record.testAccuracy);
  return fmt::format("test error {:#.4g}", record.testError.value_or(0));
}

Json toJson(const training::TrainingOptions& options) {
  return {{"epochs", options.epochs},
          {"batch", options.batch},
          {"optimizer", options.optimizer},
          {"learningRate", options.learningRate},
          {"momentum", options.momentum},
          {"weightDecay", options.weightDecay},
          {"seed", options.seed}};
}

bool isPlain(unsigned char c) {
  return std::isalnum(c) != 0 ||
         std::string_view("-_./=:,+%@").find(static_cast<char>(c)) != std::string_view::npos;
}

/// As a shell has to be given the word.
std::string quoted(const std::string& word) {
  if (!word.empty() && std::ranges::all_of(word, isPlain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string introduction(const TrainFacts& facts) {
  const auto& options = facts.options;
  return fmt::format("{}: {} parameters; backend {}, threads {}, workspace {}\n", facts.model,
                     groupedDigits(facts.parameters), facts.backend, facts.threads,
                     facts.workspace) +
         fmt::format("{}: {} training and {} test images of {}\n", facts.data,
                     groupedDigits(facts.trainingImages), groupedDigits(facts.testImages),
                     facts.sampleShape.toString()) +
         fmt::format("{}: batch {}, learning rate {}, momentum {}, weight decay {}, seed {}\n",
                     options.optimizer, options.batch, options.learningRate, options.momentum,
                     options.weightDecay, options.seed);
}

std::string epochLine(const training::EpochRecord& record, std::int64_t epochs) {
  return fmt::format("epoch {}/{}  loss {:#.4g}  {}  {} images/s  {:.1f} s  peak {}", record.epoch,
                     epochs, record.loss, testText(record),
                     groupedDigits(std::llround(record.imagesPerSecond)), record.seconds,
                     humanBytes(record.peakBytes));
}

std::string resultAsJson(const TrainFacts& facts, const std::vector<training::EpochRecord>& history,
                         const MemoryReport* report) {
  Json document = {{"model", facts.model},
                   {"backend", facts.backend},
                   {"workspace", facts.workspace},
                   {"parameters", facts.parameters},
                   {"data",
                    {{"name", facts.data},
                     {"trainingImages", facts.trainingImages},
                     {"testImages", facts.testImages}}},
                   {"options", toJson(facts.options)}};
  auto& epochs = document["epochs"] = Json::array();
  for (const auto& record : history) epochs.push_back(Json::parse(training::toJson(record)));
  if (report != nullptr) document["inspection"] = Json::parse(renderJson(*report));
  return jsonText(document);
}

std::string commandToContinue(const std::vector<std::string>& arguments,
                              const std::filesystem::path& checkpoint) {
  std::string command;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].starts_with("--resume=")) continue;
    if (arguments[i] == "--resume") {
      ++i;
      continue;
    }
    command += quoted(arguments[i]) + " ";
  }
  return command + "--resume " + quoted(checkpoint.string());
}

}  // namespace torchette::cli

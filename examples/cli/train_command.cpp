// torchette train: trains a network on images.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "examples/cli/command.h"
#include "examples/cli/options.h"
#include "examples/cli/train_run.h"
#include "runtime/errors.h"

namespace torchette::cli {

namespace {

constexpr const char* examples = R"(Examples:
  torchette train lenet --epochs 2 --checkpoint lenet.checkpoint --inspect
  torchette train lenet --epochs 4 --resume lenet.checkpoint
  torchette train autoencoder --epochs 1 --samples sheet.png
  torchette train 'nn.View(784); nn.Linear(784,10); nn.LogSoftMax()' --data synthetic)";

std::string oneOf(const std::string& text, const std::vector<std::string>& names) {
  if (std::ranges::find(names, text) != names.end()) return text;
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : " or ") + name;
  throw ArgumentError("", "'" + text + "' is not " + list);
}

void addDataOptions(CLI::App& command, TrainOptions& options) {
  auto* data = addParsedOption(command, "--data", "fashion-mnist (default) or synthetic",
                               [&options](const std::string& text) {
                                 options.data = oneOf(text, {"fashion-mnist", "synthetic"});
                               });
  data->type_name("NAME");
  command
      .add_option("--data-dir", options.dataDirectory,
                  "Directory of IDX files, gzipped or not, as those of MNIST")
      ->excludes(data)
      ->type_name("DIR");
  addParsedOption(command, "--limit", "Use only the first N training and test images",
                  [&options](const std::string& text) { options.limit = parseWhole(text, 1); })
      ->type_name("N");
}

void addStepOptions(CLI::App& command, TrainingOverrides& training) {
  addParsedOption(command, "--optimizer",
                  "sgd or adam; default: sgd for classifiers, adam for autoencoders",
                  [&training](const std::string& text) {
                    training.optimizer = oneOf(text, {"sgd", "adam"});
                  })
      ->type_name("NAME");
  addParsedOption(command, "--learning-rate", "Default: what suits optimizer and model",
                  [&training](const std::string& text) {
                    training.learningRate = parseReal(
                        text, [](double rate) { return rate > 0; }, "a number above 0");
                  })
      ->type_name("X");
  addParsedOption(command, "--momentum", "Of sgd, at least 0 and below 1; default 0.9",
                  [&training](const std::string& text) {
                    training.momentum = parseReal(
                        text, [](double momentum) { return momentum >= 0 && momentum < 1; },
                        "a number of at least 0 and below 1");
                  })
      ->type_name("X");
  addParsedOption(command, "--weight-decay", "Pulls all parameters towards 0; default 0",
                  [&training](const std::string& text) {
                    training.weightDecay = parseReal(
                        text, [](double decay) { return decay >= 0; }, "a number of at least 0");
                  })
      ->type_name("X");
}

void addTrainingOptions(CLI::App& command, TrainingOverrides& training) {
  addParsedOption(command, "--epochs", "Times through all training images; default 3",
                  [&training](const std::string& text) { training.epochs = parseWhole(text, 1); })
      ->type_name("N");
  addParsedOption(command, "--batch", "Images per step; default 64",
                  [&training](const std::string& text) { training.batch = parseWhole(text, 1); })
      ->type_name("N");
  addStepOptions(command, training);
  addParsedOption(command, "--seed", "Of weights, order of images and dropout; default 1",
                  [&training](const std::string& text) { training.seed = parseSeed(text); })
      ->type_name("N");
}

void addFileOptions(CLI::App& command, TrainOptions& options) {
  command
      .add_option("--checkpoint", options.files.checkpoint, "Keep the state after each epoch here")
      ->type_name("FILE");
  command
      .add_option(
          "--resume", options.resume,
          "Continue from this checkpoint; it is kept up to date unless --checkpoint is given")
      ->type_name("FILE");
  command.add_option("--log", options.files.log, "Write a line of JSON after each epoch")
      ->type_name("FILE");
  command
      .add_option("--samples", options.files.samples,
                  "PNG of inputs and what an autoencoder made of them")
      ->type_name("FILE");
}

void addReportOptions(CLI::App& command, TrainOptions& options) {
  CLI::Validator isFormat = CLI::IsMember({"table", "torch7"});
  // Not into the help page.
  isFormat.description("");
  command
      .add_flag("--inspect{table}", options.inspection,
                "Show what each layer holds after training: --inspect or --inspect=torch7")
      ->check(isFormat);
  command.add_flag("--json", options.isJson, "Print one JSON document at the end, nothing else");
}

}  // namespace

void addTrainCommand(CLI::App& program, Invocation& invocation) {
  const auto options = std::make_shared<TrainOptions>();
  auto& command = *program.add_subcommand("train", "Train a network on images and test it");
  command.footer(examples);
  command
      .add_option("MODEL", options->model, "A built-in name, or an expression in Torch7's words")
      ->type_name("")
      ->required();
  addDataOptions(command, *options);
  addTrainingOptions(command, options->training);
  addFileOptions(command, *options);
  addReportOptions(command, *options);
  addWorkspaceOption(command, options->workspaceStrategy);
  addSharingOption(command, options->sharing);
  addMachineOptions(command, options->machine);
  command.callback([options, &invocation] {
    if (options->files.checkpoint.empty()) options->files.checkpoint = options->resume;
    invocation.action = [options, &invocation] { runTraining(*options, invocation.arguments); };
  });
}

}  // namespace torchette::cli

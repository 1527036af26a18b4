// What the command line of torchette train asks for.
#pragma once

#include <optional>
#include <string>

#include "examples/cli/machine.h"
#include "examples/training/options.h"
#include "examples/training/run.h"
#include "layers/module.h"
#include "layers/workspace_strategy.h"

namespace torchette::cli {

/// Training options as far as the command line names them.
struct TrainingOverrides {
  std::optional<std::int64_t> epochs, batch;
  std::optional<std::string> optimizer;
  std::optional<double> learningRate, momentum, weightDecay;
  std::optional<std::uint32_t> seed;

  /// The defaults of an objective, or those of the optimizer if one is named, with what is named
  /// here put in. Throws UsageError, naming the option, if they do not fit together.
  training::TrainingOptions over(nn::Objective objective) const;
  /// The same over the options of a run that is continued.
  training::TrainingOptions over(training::TrainingOptions options) const;
};

struct TrainOptions {
  MachineOptions machine;
  std::string model;                   ///< MODEL, see layers/models/model.h
  std::string data = "fashion-mnist";  ///< or "synthetic"
  std::string dataDirectory;           ///< of IDX files; takes the place of `data`
  std::optional<std::int64_t> limit;   ///< use only the first images of both parts
  std::optional<nn::WorkspaceStrategy> workspaceStrategy;
  nn::MemorySharing sharing = nn::MemorySharing::off;  ///< anything else is refused in training
  TrainingOverrides training;
  std::string resume;        ///< the checkpoint to continue from
  training::RunFiles files;  ///< what to write
  std::string inspection;    ///< format in which to show the network's allocations; "": not at all
  bool isJson = false;
};

}  // namespace torchette::cli

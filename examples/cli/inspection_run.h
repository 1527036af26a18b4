// InspectionRun: one real pass through a network, whose every byte is then reported.
#pragma once

#include "examples/cli/machine.h"
#include "examples/cli/memory_report.h"
#include "layers/models/model.h"

namespace torchette::cli {

/// What to run.
struct InspectionOptions {
  MachineOptions machine = {};
  std::string model = {};                                  ///< MODEL, see layers/models/model.h
  std::optional<Shape> input;                              ///< default: a batch of the model's own
  std::optional<nn::WorkspaceStrategy> workspaceStrategy;  ///< default: the backend's
  bool isTraining = true;
  nn::MemorySharing sharing = nn::MemorySharing::off;
  std::string optimizer =
      "none";  ///< or "sgd" (with momentum), "adam": takes a step after backward
  std::uint32_t seed = 1;
};

/// The network under the path "net". Throws UsageError, naming MODEL, if the text cannot be read.
nn::Model makeModelFromCommandLine(const std::string& text, const nn::Context& context);

/// The model of the options with its workspace strategy set. Throws like makeModelFromCommandLine.
nn::Model makeInspectedModel(const InspectionOptions& options, const nn::Context& context);
/// That of the options, or the model's default. Throws UsageError if there is neither.
Shape inputShape(const InspectionOptions& options, const nn::Model& model);
/// Uniform in [0, 1), attributed to the owner "input".
Tensor makeRandomInput(const nn::Context& context, const Shape& shape);

/// Forward, and in training mode backward, over random numbers. Throws UsageError if the model
/// cannot be made or needs an input to be named, and what the network throws.
MemoryReport runInspection(const InspectionOptions& options);

}  // namespace torchette::cli

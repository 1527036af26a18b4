// Building a network, running it once and looking at what it then holds.
#include "examples/cli/inspection_run.h"

#include <utility>

#include "examples/cli/planning_run.h"
#include "examples/cli/usage_error.h"
#include "layers/memory_plan.h"
#include "layers/optim/adam.h"
#include "layers/optim/sgd.h"
#include "layers/workspace_sharing.h"

namespace torchette::cli {

namespace {

constexpr std::int64_t defaultBatch = 16;

/// Ones in the shape of the network's output.
nn::Activity onesLike(const nn::Activity& output, Backend& backend) {
  const OwnerScope scope("input");
  return output.map([&backend](const Tensor& tensor) {
    Tensor ones(backend.allocator(), "gradOutput");
    ones.resize(tensor.shape());
    backend.fill(ones.elements(), 1, ones.data<float>());
    return ones;
  });
}

std::unique_ptr<optim::Optimizer> makeOptimizer(const std::string& name,
                                                const nn::Context& context) {
  if (name == "adam") return nn::build<optim::Adam>("optim", context, optim::AdamConfig{});
  return nn::build<optim::Sgd>("optim", context, optim::SgdConfig{.momentum = 0.9});
}

}  // namespace

nn::Model makeModelFromCommandLine(const std::string& text, const nn::Context& context) {
  try {
    return nn::makeModel(text, context);
  } catch (const ArgumentError& error) {
    throw UsageError("MODEL", error.what());
  }
}

nn::Model makeInspectedModel(const InspectionOptions& options, const nn::Context& context) {
  auto model = makeModelFromCommandLine(options.model, context);
  model.network->setWorkspaceStrategy(
      options.workspaceStrategy.value_or(nn::defaultWorkspaceStrategy(context.backend->name())));
  return model;
}

Shape inputShape(const InspectionOptions& options, const nn::Model& model) {
  if (options.input) return *options.input;
  if (model.sampleShape) return model.sampleShape->inserted(0, defaultBatch);
  throw UsageError("--input",
                   "needed for a model that is not built in; write e.g. --input 16x3x32x32");
}

Tensor makeRandomInput(const nn::Context& context, const Shape& shape) {
  const OwnerScope scope("input");
  Tensor input(context.backend->allocator(), "input");
  input.resize(shape);
  context.backend->fillUniform(input.elements(), *context.generator, 0, 1, input.data<float>());
  return input;
}

MemoryReport runInspection(const InspectionOptions& options) {
  const Machine machine = makeMachine(options.machine);
  const auto& ledger = machine.ledger;
  const auto& backend = machine.backend;
  const auto passes = std::make_shared<PassRecorder>(ledger);
  const nn::Context context{backend, std::make_shared<Generator>(options.seed), passes};
  ledger->startRecordingEvents();

  ledger->beginPhase("build");
  const auto model = makeInspectedModel(options, context);
  auto& network = *model.network;
  if (!options.isTraining) network.evaluate();
  std::optional<nn::ArenaPlan> plan;
  if (options.sharing == nn::MemorySharing::workspace) nn::shareWorkspaces(network);
  if (options.sharing == nn::MemorySharing::plan) {
    plan = planFor(options);
    nn::applyMemoryPlan(network, *plan);
  }

  std::unique_ptr<optim::Optimizer> optimizer;
  nn::FlatParameters flat;
  if (options.isTraining && options.optimizer != "none") {
    flat = network.getParameters();
    optimizer = makeOptimizer(options.optimizer, context);
  }

  ledger->beginPhase("input");
  const nn::Activity input(makeRandomInput(context, inputShape(options, model)));

  ledger->beginPhase("forward");
  network.forward(input);
  nn::Activity gradOutput;
  if (options.isTraining) {
    ledger->beginPhase("backward");
    gradOutput = onesLike(network.output, *backend);
    network.backward(input, gradOutput);
  }
  if (optimizer) {
    ledger->beginPhase("update");
    optimizer->step(flat.parameters, flat.gradParameters);
  }
  const auto strategy =
      options.workspaceStrategy.value_or(nn::defaultWorkspaceStrategy(backend->name()));
  auto report = makeMemoryReport({.model = model.name,
                                  .backend = std::string(backend->name()),
                                  .workspace = std::string(nn::nameOf(strategy)),
                                  .mode = options.isTraining ? "training" : "evaluate",
                                  .input = input.tensor().shape(),
                                  .isEstimate = options.machine.isEstimate},
                                 network, machine);
  report.passes = passes->marks();
  report.plan = std::move(plan);
  return report;
}

}  // namespace torchette::cli

// Building a network, running it once and looking at what it then holds.
#include "examples/cli/inspection_run.h"

#include <algorithm>
#include <utility>

#include "examples/cli/usage_error.h"

namespace torchette::cli {

namespace {

constexpr std::int64_t defaultBatch = 16;

Shape inputShape(const InspectionOptions& options, const nn::Model& model) {
  if (options.input) return *options.input;
  if (model.sampleShape) return model.sampleShape->inserted(0, defaultBatch);
  throw UsageError("--input",
                   "needed for a model that is not built in; write e.g. --input 16x3x32x32");
}

/// Uniform in [0, 1), made slice by slice so that little memory is needed beside the tensor.
Tensor randomInput(const nn::Context& context, const Shape& shape) {
  const OwnerScope scope("input");
  Tensor input(context.backend->allocator(), "input");
  input.resize(shape);
  if (input.isEmpty()) return input;
  std::vector<float> values(static_cast<std::size_t>(input.elements() / input.size(0)));
  for (std::int64_t i = 0; i < input.size(0); ++i) {
    std::ranges::generate(values, [&] { return static_cast<float>(context.generator->uniform()); });
    input.narrow(0, i, 1).copyFromValues(values);
  }
  return input;
}

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

}  // namespace

nn::Model makeModelFromCommandLine(const std::string& text, const nn::Context& context) {
  try {
    return nn::makeModel(text, context);
  } catch (const ArgumentError& error) {
    throw UsageError("MODEL", error.what());
  }
}

MemoryReport runInspection(const InspectionOptions& options) {
  const auto [ledger, backend] = makeMachine(options.machine);
  const nn::Context context{backend, std::make_shared<Generator>(options.seed)};
  ledger->startRecordingEvents();

  ledger->beginPhase("build");
  const auto model = makeModelFromCommandLine(options.model, context);
  auto& network = *model.network;
  const auto strategy =
      options.workspaceStrategy.value_or(nn::defaultWorkspaceStrategy(backend->name()));
  network.setWorkspaceStrategy(strategy);

  ledger->beginPhase("input");
  const nn::Activity input(randomInput(context, inputShape(options, model)));

  if (!options.isTraining) network.evaluate();
  ledger->beginPhase("forward");
  network.forward(input);
  nn::Activity gradOutput;
  if (options.isTraining) {
    ledger->beginPhase("backward");
    gradOutput = onesLike(network.output, *backend);
    network.backward(input, gradOutput);
  }
  return makeMemoryReport({.model = model.name,
                           .backend = std::string(backend->name()),
                           .workspace = std::string(nameOf(strategy)),
                           .mode = options.isTraining ? "training" : "evaluate",
                           .input = input.tensor().shape()},
                          network, *ledger);
}

}  // namespace torchette::cli

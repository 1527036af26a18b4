// The network in training that allocation failures are tried on.
#include "tests/layers/training_run.h"

#include "layers/models/expression.h"

namespace torchette::testing {

namespace {

constexpr const char* expression =
    "nn.SpatialConvolution(1,3,3,3,1,1,1,1); nn.SpatialBatchNormalization(3); nn.ReLU(true);"
    "nn.SpatialMaxPooling(2,2);"
    "nn.ConcatTable():add(nn.SpatialConvolution(3,3,3,3,1,1,1,1)):add(nn.Identity());"
    "nn.CAddTable(true); nn.SpatialFullConvolution(3,2,2,2,2,2); nn.Dropout(0.4,false,true);"
    "nn.View(32):setNumInputDims(3); nn.Linear(32,4); nn.LogSoftMax()";

}  // namespace

TrainingRun::TrainingRun(const std::shared_ptr<Backend>& backend, nn::WorkspaceStrategy strategy)
    : context_(contextOn(backend, 81)),
      network_(nn::moduleFromExpression(expression, context_)),
      criterion_(context_),
      optimizer_(context_, {.learningRate = 0.1}),
      flat_(network_->getParameters()) {
  network_->setWorkspaceStrategy(strategy);
}

std::vector<std::function<void()>> TrainingRun::stepCalls(std::int64_t samples) {
  auto& backend = *context_.backend;
  input_ = randomTensor(backend, {samples, 1, 4, 4}, 82);
  target_ = Tensor::fromValues(backend.allocator(), {samples},
                               std::vector<std::int64_t>(static_cast<std::size_t>(samples), 2));
  network_->zeroGradParameters();
  const auto output = [this] { return network_->output.tensor(); };
  return {[this] { network_->forward(input_); },
          [this, output] { criterion_.forward(output(), target_); },
          [this, output] { criterion_.backward(output(), target_); },
          [this] { network_->backward(input_, criterion_.gradInput); },
          [this] { optimizer_.step(flat_.parameters, flat_.gradParameters); }};
}

void TrainingRun::step(std::int64_t samples) {
  for (const auto& call : stepCalls(samples)) call();
}

TrainingState TrainingRun::state() const {
  return {valuesOf(flat_.parameters), valuesOf(flat_.gradParameters),
          valuesOf(*network_, {nn::Role::state}), context_.generator->state()};
}

}  // namespace torchette::testing

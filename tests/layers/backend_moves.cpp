// Networks, criteria and optimizers that move from one backend to another.
#include <doctest/doctest.h>

#include "backends/kernels/scratch.h"
#include "layers/container.h"
#include "layers/criteria/bce_criterion.h"
#include "layers/criteria/cross_entropy_criterion.h"
#include "layers/linear.h"
#include "layers/optim/adam.h"
#include "layers/optim/sgd.h"
#include "layers/spatial_convolution.h"
#include "layers/workspace_sharing.h"
#include "runtime/errors.h"
#include "tests/layers/layer_support.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

/// All kinds of tensors that modules hold.
constexpr const char* network =
    "nn.SpatialConvolution(1,4,3,3,1,1,1,1); nn.SpatialBatchNormalization(4); nn.ReLU(true);"
    "nn.SpatialMaxPooling(2,2); nn.SpatialFullConvolution(4,2,2,2,2,2); nn.Dropout(0.3);"
    "nn.View(72):setNumInputDims(3); nn.Linear(72,5)";

/// A network in training on batches that depend on the number of the step alone.
class Training {
 public:
  explicit Training(const std::shared_ptr<Backend>& backend)
      : context_(contextOn(backend, 7)),
        network_(moduleOn(backend, network, 7)),
        criterion_(context_, {1, 2, 0.5F, 1, 3}),
        optimizer_(context_, {.learningRate = 0.05, .momentum = 0.9}),
        flat_(network_->getParameters()) {}

  double step() {
    auto& backend = *context_.backend;
    const auto input = randomTensor(backend, {6, 1, 6, 6}, ++seed_);
    const auto target =
        Tensor::fromValues<std::int64_t>(backend.allocator(), {6}, {0, 1, 2, 3, 4, seed_ % 5});
    network_->zeroGradParameters();
    const auto& output = network_->forward(input).tensor();
    const double loss = criterion_.forward(output, target);
    network_->backward(input, criterion_.backward(output, target));
    optimizer_.step(flat_.parameters, flat_.gradParameters);
    return loss;
  }

  void moveTo(const std::shared_ptr<Backend>& backend) {
    context_.backend = backend;
    network_->to(backend);
    criterion_.to(backend);
    optimizer_.to(backend);
    flat_ = network_->getParameters();
  }

 private:
  nn::Context context_;
  std::unique_ptr<nn::Module> network_;
  nn::CrossEntropyCriterion criterion_;
  optim::Sgd optimizer_;
  nn::FlatParameters flat_;
  std::uint32_t seed_ = 0;
};

nn::Module& childOf(nn::Module& container, std::size_t index) {
  return *container.children().at(index);
}

}  // namespace

TEST_CASE("training that moves between backends has the losses of training that stays") {
  FOR_EACH_GPU_BACKEND(gpu) {
    Training staying(cpuBackend());
    Training moving(cpuBackend());
    for (const auto& backend : {cpuBackend(), std::shared_ptr<Backend>(gpu), cpuBackend()}) {
      moving.moveTo(backend);
      for (int i = 0; i < 4; ++i) {
        CHECK(moving.step() == doctest::Approx(staying.step()).epsilon(1e-5).scale(0));
      }
    }
  }
}

TEST_CASE("a move copies parameters and gradients and state and clears the rest") {
  FOR_EACH_GPU_BACKEND(gpu) {
    using nn::Role;
    const auto cpu = cpuBackend();
    const auto module = moduleOn(cpu, network);
    const auto input = randomTensor(*cpu, {2, 1, 6, 6}, 1);
    module->forward(input);
    module->backward(input, randomTensor(*cpu, {2, 5}, 2));
    const auto parameters = parameterValuesOf(*module), gradients = gradientValuesOf(*module);
    const auto state = valuesOf(*module, {Role::state});
    module->to(gpu);
    CHECK(parameterValuesOf(*module) == parameters);
    CHECK(gradientValuesOf(*module) == gradients);
    CHECK(valuesOf(*module, {Role::state}) == state);
    CHECK(valuesOf(*module, {Role::activation, Role::gradient, Role::workspace, Role::buffer})
              .empty());
    module->forEachModule([&](nn::Module& part) {
      part.visitTensors([&](std::string_view field, Role, Tensor& tensor) {
        CAPTURE(std::string(field));
        CHECK(&tensor.device() == &gpu->device());
        CHECK(tensor.storage()->field() == field);
      });
    });
  }
}

TEST_CASE("backward needs a new forward after a move") {
  const auto backend = cpuBackend();
  const auto module = moduleOn(backend, "nn.SpatialConvolution(1,2,3,3)");
  const auto input = randomTensor(*backend, {2, 1, 5, 5}, 1);
  const auto gradOutput = randomTensor(*backend, {2, 2, 3, 3}, 2);
  module->forward(input);
  module->to(backend);
  checkThrows<StateError>([&] { module->backward(input, gradOutput); },
                          {"net", "that is not the one of the last forward"});
  module->forward(input);
  module->backward(input, gradOutput);
}

TEST_CASE("columns of the old backend are never taken for ones on the new") {
  FOR_EACH_GPU_BACKEND(gpu) {
    const auto cpu = cpuBackend();
    const auto module = moduleOn(cpu, "nn.SpatialConvolution(3,4,4,4,2,2,1,1)");
    const auto values = randomValues(16 * 3 * 32 * 32, 1);
    const auto onCpu = tensor(*cpu, {16, 3, 32, 32}, values);
    const auto expected = valuesOf(module->forward(onCpu));
    module->backward(onCpu, randomTensor(*cpu, {16, 4, 16, 16}, 2));
    CHECK(fieldOf(*module, "fgradInput").shape() == Shape{16, 48, 256});
    module->to(gpu);
    checkClose(valuesOf(module->forward(tensor(*gpu, {16, 3, 32, 32}, values))), expected, 1e-5);
    CHECK(fieldOf(*module, "finput").shape() == Shape{48, 256});
    CHECK(fieldOf(*module, "fgradInput").shape() == Shape{16, 16});
    CHECK(valuesOf(fieldOf(*module, "fgradInput")) == std::vector<float>(256, 1.0F));
  }
}

TEST_CASE("a move keeps the workspace strategy that was chosen") {
  FOR_EACH_GPU_BACKEND(gpu) {
    const auto module = moduleOn(cpuBackend(), "nn.SpatialConvolution(1,2,3,3)");
    const auto& convolution = dynamic_cast<nn::SpatialConvolution&>(*module);
    CHECK(convolution.workspaceStrategy() == nn::WorkspaceStrategy::batch);
    module->to(gpu);
    CHECK(convolution.workspaceStrategy() == nn::WorkspaceStrategy::sample);
    module->setWorkspaceStrategy(nn::WorkspaceStrategy::batch);
    module->to(cpuBackend());
    module->to(gpu);
    CHECK(convolution.workspaceStrategy() == nn::WorkspaceStrategy::batch);
  }
}

TEST_CASE("tensors that share a storage share one after a move") {
  FOR_EACH_GPU_BACKEND(gpu) {
    const auto module = moduleOn(cpuBackend(), "nn.Linear(3,2); nn.Linear(2,3)");
    const auto flat = module->getParameters();
    const auto before = valuesOf(flat.parameters);
    module->to(gpu);
    const auto parameters = module->parameters().values;
    for (const auto* parameter : parameters) {
      CHECK(parameter->sharesStorageWith(*parameters[0]));
    }
    CHECK(parameterValuesOf(*module) == before);
    // The old vector is detached: writing to it changes nothing.
    flat.parameters.zero();
    CHECK(parameterValuesOf(*module) == before);
  }
}

TEST_CASE("bytes of a moved module are attributed to it and none stay behind") {
  FOR_EACH_GPU_BACKEND(gpu) {
    const auto cpu = cpuBackend();
    const auto module = moduleOn(cpu, "nn.Linear(3,2)");
    const auto before = ledger()->liveBytes();
    module->to(gpu);
    CHECK(ledger()->liveBytes() == before);
    CHECK(heldBytes("net", "weight") == 3 * 2 * 4);
    CHECK(heldBytes("net", "gradBias") == 2 * 4);
  }
}

TEST_CASE("a move that does not fit leaves everything as it was") {
  const auto cpu = cpuBackend();
  const auto module = moduleOn(cpu, network);
  const auto input = randomTensor(*cpu, {2, 1, 6, 6}, 1);
  const auto gradOutput = randomTensor(*cpu, {2, 5}, 2);
  module->evaluate();
  const auto output = valuesOf(module->forward(input));
  const auto gradInput = valuesOf(module->backward(input, gradOutput));
  const auto parameters = parameterValuesOf(*module);
  const auto live = ledger()->liveBytes();
  for (const std::int64_t room : {0, 100, 500, 3000}) {
    const auto small = simulatedBackend({}, {.capacityBytes = kernels::scratchBytes + room});
    CHECK_THROWS_AS(module->to(small), MemoryError);
    CHECK(ledger()->liveBytes() == live + kernels::scratchBytes);
    CHECK(parameterValuesOf(*module) == parameters);
    CHECK(valuesOf(module->output) == output);
    CHECK(valuesOf(module->backward(input, gradOutput)) == gradInput);
  }
}

TEST_CASE("members of one move change together or not at all") {
  const auto cpu = cpuBackend();
  const auto module = moduleOn(cpu, "nn.Linear(3,2)");
  nn::BCECriterion criterion(contextOn(cpu), {1, 2});
  const auto simulated = simulatedBackend();
  {
    nn::BackendMove dropped(simulated);
    module->joinMove(dropped);
    criterion.joinMove(dropped);
  }
  CHECK(&fieldOf(*module, "weight").device() == &cpu->device());
  CHECK(&criterion.gradInput.device() == &cpu->device());
  nn::BackendMove move(simulated);
  module->joinMove(move);
  criterion.joinMove(move);
  move.commit();
  CHECK(&fieldOf(*module, "weight").device() == &simulated->device());
  CHECK(&criterion.gradInput.device() == &simulated->device());
}

TEST_CASE("a moved criterion keeps its weights") {
  FOR_EACH_GPU_BACKEND(gpu) {
    const auto cpu = cpuBackend();
    nn::BCECriterion criterion(contextOn(cpu), {1, 2, 3});
    const std::vector<float> inputs{0.1F, 0.5F, 0.9F}, targets{1, 0, 0};
    const double expected =
        criterion.forward(tensor(*cpu, {3}, inputs), tensor(*cpu, {3}, targets));
    criterion.to(gpu);
    CHECK(criterion.forward(tensor(*gpu, {3}, inputs), tensor(*gpu, {3}, targets)) ==
          doctest::Approx(expected).epsilon(1e-6).scale(0));
  }
}

TEST_CASE("a moved optimizer keeps its state and goes on counting") {
  FOR_EACH_GPU_BACKEND(gpu) {
    const auto cpu = cpuBackend();
    optim::Adam optimizer(contextOn(cpu), {});
    optimizer.step(randomTensor(*cpu, {5}, 1), randomTensor(*cpu, {5}, 2));
    const auto first = valuesOf(optimizer.m), second = valuesOf(optimizer.v);
    optimizer.to(gpu);
    CHECK(valuesOf(optimizer.m) == first);
    CHECK(valuesOf(optimizer.v) == second);
    optimizer.step(randomTensor(*gpu, {5}, 1), randomTensor(*gpu, {5}, 2));
    CHECK(optimizer.evalCounter() == 2);
  }
}

TEST_CASE("a move is refused while workspaces are shared") {
  const auto module = moduleOn(cpuBackend(), "nn.SpatialConvolution(1,1,3,3)");
  module->evaluate();
  nn::shareWorkspaces(*module);
  checkThrows<StateError>([&] { module->to(simulatedBackend()); },
                          {"net", "a move to another backend", "unshareWorkspaces"});
  nn::unshareWorkspaces(*module);
  module->to(simulatedBackend());
}

TEST_CASE("modules added after a move live on the new backend") {
  FOR_EACH_GPU_BACKEND(gpu) {
    const auto module = moduleOn(cpuBackend(), "nn.Linear(3,2); nn.Tanh()");
    module->to(gpu);
    auto& container = dynamic_cast<nn::Container&>(*module);
    container.add<nn::Linear>(2, 4);
    CHECK(&fieldOf(childOf(*module, 2), "weight").device() == &gpu->device());
    CHECK(module->forward(randomTensor(*gpu, {5, 3}, 1)).tensor().shape() == Shape{5, 4});
  }
}

}  // namespace torchette::testing

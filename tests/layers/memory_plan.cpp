// Inference in one arena: same results, no more bytes than the largest live set, and nothing of the
// caller's touched.
#include "layers/memory_plan.h"

#include <doctest/doctest.h>

#include "layers/models/built_in.h"
#include "layers/workspace_sharing.h"
#include "runtime/allocators.h"
#include "runtime/errors.h"
#include "tests/layers/layer_support.h"
#include "tests/layers/planned_network.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

using nn::MemorySharing;

const PlannedCase small = {
    "nn.SpatialConvolution(3,4,3,3,1,1,1,1); nn.Tanh();"
    "nn.SpatialConvolution(4,4,3,3,1,1,1,1); nn.SpatialMaxPooling(2,2);"
    "nn.View(64):setNumInputDims(3); nn.Linear(64,5); nn.Linear(5,3)",
    {4, 3, 8, 8},
    nn::WorkspaceStrategy::batch};

Tensor inputOf(Backend& backend, const PlannedCase& planned, std::int64_t samples,
               std::uint32_t seed = 81) {
  return randomTensor(backend, planned.input.with(0, samples), seed);
}

Tensor inputOf(Backend& backend, const PlannedCase& planned) {
  return inputOf(backend, planned, planned.input[0]);
}

nn::ArenaPlan planOn(const Backend& backend, const PlannedCase& planned) {
  return planOf(planned, backend.name(), backend.lanes());
}

std::unique_ptr<nn::Module> plannedNetworkOn(const std::shared_ptr<Backend>& backend,
                                             const PlannedCase& planned) {
  auto network = networkOf(planned, backend);
  nn::applyMemoryPlan(*network, planOn(*backend, planned));
  return network;
}

std::vector<float> expectedOutput(const std::shared_ptr<Backend>& backend,
                                  const PlannedCase& planned, const Tensor& input) {
  return valuesOf(networkOf(planned, backend)->forward(input));
}

std::int64_t keptBytesOf(nn::Module& network) {
  std::int64_t bytes = 0;
  network.forEachModule([&](nn::Module& module) {
    module.visitTensors([&](std::string_view, nn::Role role, Tensor& tensor) {
      const bool isKept = role == nn::Role::parameter || role == nn::Role::parameterGradient ||
                          role == nn::Role::state;
      bytes += isKept ? tensor.bytes() : 0;
    });
  });
  return bytes;
}

}  // namespace

TEST_CASE("planned inference computes the very numbers of unplanned inference") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& planned : plannedCases()) {
      INFO(planned.model, ", strategy ", std::string(nn::nameOf(*planned.strategy)));
      const auto network = plannedNetworkOn(backend, planned);
      CHECK(arenaOf(*network) != nullptr);
      for (const std::uint32_t seed : {1, 2, 3}) {
        const auto input = inputOf(*backend, planned, planned.input[0], seed);
        CHECK(valuesOf(network->forward(input)) == expectedOutput(backend, planned, input));
      }
    }
  }
}

TEST_CASE("an arena is hardly larger than the largest live set") {
  for (const auto& model : nn::builtInModels()) {
    const std::string name(model.name);
    for (const std::int64_t samples : {1, 2, 16, 128}) {
      forEachStrategy([&](nn::WorkspaceStrategy strategy) {
        for (const std::string backendName : {"cpu", "simulated"}) {
          INFO(name, " on ", backendName, ", batch ", samples);
          const auto input = model.sampleShape.inserted(0, samples);
          const auto plan = planOf({name, input, strategy}, backendName, 2);
          CHECK(plan.largestLiveBytes > 0);
          CHECK(plan.arenaBytes >= plan.largestLiveBytes);
          CHECK(static_cast<double>(plan.arenaBytes) <=
                1.02 * static_cast<double>(plan.largestLiveBytes));
        }
      });
    }
  }
}

TEST_CASE("a planned network holds its arena and parameters and output and nothing else") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& planned : plannedCases()) {
      if (planned.model != "lenet" && planned.model != "autoencoder") continue;
      CAPTURE(planned.model);
      const auto plan = planOn(*backend, planned);
      const auto network = networkOf(planned, backend);
      const auto kept = keptBytesOf(*network);
      CHECK(heldBytesBelow("net") == kept);
      nn::applyMemoryPlan(*network, plan);
      CHECK(heldBytesBelow("net") == kept + plan.arenaBytes);
      CHECK(heldBytes("net", "arena") == plan.arenaBytes);
      const auto input = inputOf(*backend, planned);
      for (int i = 0; i < 3; ++i) {
        const auto& output = network->forward(input).tensor();
        CHECK(heldBytesBelow("net") == kept + plan.arenaBytes + output.storage()->bytes());
      }
    }
  }
}

TEST_CASE("a planned network takes smaller batches and refuses larger ones") {
  FOR_EACH_BACKEND(backend) {
    const auto network = plannedNetworkOn(backend, small);
    for (const std::int64_t samples : {4, 1, 3}) {
      CAPTURE(samples);
      const auto input = inputOf(*backend, small, samples);
      CHECK(valuesOf(network->forward(input)) == expectedOutput(backend, small, input));
    }
    checkThrows<StateError>(
        [&] { network->forward(inputOf(*backend, small, 5)); },
        {"net/1: ", "finput of size 5x27x64", "34560 bytes", "the memory plan gives it 27648",
         "remove the plan", "plan for this input"});
    const auto input = inputOf(*backend, small);
    CHECK(valuesOf(network->forward(input)) == expectedOutput(backend, small, input));
  }
}

TEST_CASE("what a plan would break is refused until the plan is removed") {
  FOR_EACH_BACKEND(backend) {
    const auto network = plannedNetworkOn(backend, small);
    const auto plan = planOn(*backend, small);
    const auto input = inputOf(*backend, small);
    const auto output = network->forward(input).tensor();
    checkThrows<StateError>([&] { network->training(); },
                            {"net: ", "training mode is refused while a memory plan is in use",
                             "remove the plan first", "sample"});
    checkThrows<StateError>(
        [&] { network->setWorkspaceStrategy(nn::WorkspaceStrategy::sample); },
        {"net: ", "another workspace strategy is refused while a memory plan is in use"});
    checkThrows<StateError>([&] { network->to(backend); }, {"a move to another backend"});
    checkThrows<StateError>([&] { network->backward(input, output); },
                            {"net: ", "memory plan has reused", "remove the plan"});
    checkThrows<StateError>([&] { nn::applyMemoryPlan(*network, plan); }, {"shared already"});
    checkThrows<StateError>([&] { nn::shareWorkspaces(*network); }, {"shared already"});
    nn::unshareWorkspaces(*network);
    checkThrows<StateError>([&] { network->training(); }, {"remove the plan first"});
  }
}

TEST_CASE("a network in training mode or with shared workspaces takes no plan") {
  FOR_EACH_BACKEND(backend) {
    const auto plan = planOn(*backend, small);
    const auto network = networkOf(small, backend);
    network->training();
    checkThrows<StateError>(
        [&] { nn::applyMemoryPlan(*network, plan); },
        {"net: ", "memory plan is for inference", "put the network in evaluate mode first"});
    network->evaluate();
    nn::shareWorkspaces(*network);
    checkThrows<StateError>([&] { nn::applyMemoryPlan(*network, plan); }, {"shared already"});
    CHECK(heldBytes("net", "arena") == 0);
    CHECK(network->memorySharing() == MemorySharing::workspace);
  }
}

TEST_CASE("removing a plan or clearing the state gives each tensor its own bytes again") {
  FOR_EACH_BACKEND(backend) {
    for (const bool isCleared : {true, false}) {
      CAPTURE(isCleared);
      const auto network = plannedNetworkOn(backend, small);
      const auto reference = networkOf(small, backend);
      network->forward(inputOf(*backend, small));
      if (isCleared) {
        network->clearState();
      } else {
        nn::removeMemoryPlan(*network);
      }
      CHECK(network->memorySharing() == MemorySharing::off);
      CHECK(arenaOf(*network) == nullptr);
      CHECK(heldBytes("net", "arena") == 0);
      for (auto* each : {network.get(), reference.get()}) {
        each->training();
        const auto input = inputOf(*backend, small, 9);
        const auto gradOutput = randomTensor(*backend, each->forward(input).tensor().shape(), 82);
        each->backward(input, gradOutput);
      }
      CHECK(valuesOf(network->output) == valuesOf(reference->output));
      CHECK(gradientValuesOf(*network) == gradientValuesOf(*reference));
    }
  }
}

TEST_CASE("removing the plan of a network without one leaves its state and its sharing alone") {
  FOR_EACH_BACKEND(backend) {
    const auto network = networkOf(small, backend);
    nn::shareWorkspaces(*network);
    const auto expected = valuesOf(network->forward(inputOf(*backend, small)));
    const auto held = ledger()->liveHoldings();
    nn::removeMemoryPlan(*network);
    CHECK(valuesOf(network->output) == expected);
    CHECK(network->memorySharing() == MemorySharing::workspace);
    CHECK(ledger()->liveHoldings() == held);
  }
}

TEST_CASE("inputs and outputs of the caller lie outside the arena and stay as they are") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& planned : plannedCases()) {
      CAPTURE(planned.model);
      const auto network = plannedNetworkOn(backend, planned);
      const auto input = inputOf(*backend, planned);
      const auto inputValues = valuesOf(input);
      const nn::Activity output = network->forward(input);
      const auto outputValues = valuesOf(output);
      CHECK(valuesOf(input) == inputValues);
      CHECK(&input.storage()->root() == input.storage().get());
      output.forEachTensor(
          [](const Tensor& tensor) { CHECK(&tensor.storage()->root() == tensor.storage().get()); });
      nn::removeMemoryPlan(*network);
      network->forward(inputOf(*backend, planned, planned.input[0], 83));
      CHECK(valuesOf(output) == outputValues);
    }
  }
}

TEST_CASE("the next planned forward reuses the output as every forward does") {
  FOR_EACH_BACKEND(backend) {
    const auto network = plannedNetworkOn(backend, small);
    const auto output = network->forward(inputOf(*backend, small)).tensor();
    const auto before = valuesOf(output);
    const auto& second = network->forward(inputOf(*backend, small, 4, 84)).tensor();
    CHECK(second.sharesStorageWith(output));
    CHECK(valuesOf(output) != before);
  }
}

TEST_CASE("an arena that cannot be had changes nothing") {
  FOR_EACH_BACKEND(backend) {
    const auto plan = planOn(*backend, small);
    const auto allocator = std::make_shared<FailingAllocator>(backend->allocator());
    const auto network = networkOf(small, backendOver(*backend, allocator));
    const auto input = inputOf(*backend, small);
    const auto expected = valuesOf(network->forward(input));
    const auto held = ledger()->liveHoldings();
    allocator->failAt(1);
    CHECK_THROWS_AS(nn::applyMemoryPlan(*network, plan), MemoryError);
    CHECK(network->memorySharing() == MemorySharing::off);
    CHECK(ledger()->liveHoldings() == held);
    CHECK(valuesOf(network->output) == expected);
    nn::applyMemoryPlan(*network, plan);
    CHECK(valuesOf(network->forward(input)) == expected);
  }
}

}  // namespace torchette::testing

// Storages are reused from call to call, never shrink, and are freed by clearState or with the
// network.
#include <doctest/doctest.h>

#include "layers/models/model.h"
#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

constexpr const char* network =
    "nn.SpatialConvolution(3,4,3,3,1,1,1,1); nn.SpatialBatchNormalization(4); nn.ReLU(true);"
    "nn.SpatialMaxPooling(2,2); nn.Dropout(0.5,false,true); nn.SpatialFullConvolution(4,2,2,2,2,2);"
    "nn.View(128):setNumInputDims(3); nn.Linear(128,5); nn.LogSoftMax()";

void train(Backend& backend, nn::Module& module, std::int64_t samples) {
  const auto input = randomTensor(backend, {samples, 3, 8, 8}, 51);
  const auto gradOutput = randomTensor(backend, module.forward(input).tensor().shape(), 52);
  module.backward(input, gradOutput);
}

std::int64_t parameterBytesOf(nn::Module& module) {
  std::int64_t bytes = 0;
  module.forEachModule([&](nn::Module& part) {
    part.visitTensors([&](std::string_view, nn::Role role, Tensor& tensor) {
      const bool isKept = role == nn::Role::parameter || role == nn::Role::parameterGradient ||
                          role == nn::Role::state;
      bytes += isKept ? tensor.bytes() : 0;
    });
  });
  return bytes;
}

}  // namespace

TEST_CASE("alternating batch sizes hold no more bytes than the first round") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      for (const bool isTraining : {true, false}) {
        CAPTURE(isTraining);
        const auto module = moduleOn(backend, network);
        module->setWorkspaceStrategy(strategy);
        const auto round = [&] {
          for (const std::int64_t samples : {64, 17}) {
            if (isTraining) {
              train(*backend, *module, samples);
            } else {
              module->forward(randomTensor(*backend, {samples, 3, 8, 8}, 53));
            }
          }
        };
        round();
        const auto held = ledger()->liveBytes();
        ledger()->resetPeak();
        round();
        const auto peak = ledger()->peakBytes();
        const int rounds = backend->name() == "cpu" ? 100 : 5;  // simulated ones take their time
        for (int i = 2; i < rounds; ++i) round();
        CHECK(ledger()->liveBytes() == held);
        CHECK(ledger()->peakBytes() == peak);
      }
    });
  }
}

TEST_CASE("a storage keeps its bytes when the batch shrinks and clearState frees it") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.SpatialConvolution(3,4,3,3,1,1,1,1)");
    module->setWorkspaceStrategy(nn::WorkspaceStrategy::batch);
    module->forward(randomTensor(*backend, {64, 3, 16, 16}, 1));
    CHECK(heldBytes("net", "finput") == 1769472);
    module->forward(randomTensor(*backend, {2, 3, 16, 16}, 1));
    CHECK(heldBytes("net", "finput") == 1769472);
    CHECK(fieldOf(*module, "finput").bytes() == 55296);
    module->clearState();
    CHECK(heldBytes("net", "finput") == 0);
    CHECK(fieldOf(*module, "finput").rank() == 0);
  }
}

TEST_CASE("clearState frees everything but parameters and state and training goes on after it") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, network);
    const auto before = heldBytesBelow("net");
    CHECK(before == parameterBytesOf(*module));
    train(*backend, *module, 4);
    CHECK(heldBytesBelow("net") > before);
    const auto parameters = parameterValuesOf(*module), gradients = gradientValuesOf(*module);
    const auto state = valuesOf(*module, {nn::Role::state});
    module->clearState();
    CHECK(heldBytesBelow("net") == before);
    CHECK(parameterValuesOf(*module) == parameters);
    CHECK(gradientValuesOf(*module) == gradients);
    CHECK(valuesOf(*module, {nn::Role::state}) == state);
    train(*backend, *module, 4);
  }
}

TEST_CASE("a dropped network gives all its bytes back") {
  FOR_EACH_BACKEND(backend) {
    for (const std::string name : {"lenet", "autoencoder"}) {
      CAPTURE(name);
      const auto before = ledger()->liveBytes();
      {
        const auto module = nn::makeModel(name, contextOn(backend)).network;
        const auto input = randomTensor(*backend, {2, 1, 28, 28}, 54);
        const auto gradOutput = randomTensor(*backend, module->forward(input).tensor().shape(), 55);
        module->backward(input, gradOutput);
        CHECK(ledger()->liveBytes() > before);
      }
      CHECK(ledger()->liveBytes() == before);
    }
  }
}

TEST_CASE("outputs and gradInputs are reused tensors") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.Linear(3,2)");
    const auto input = randomTensor(*backend, {4, 3}, 56),
               other = randomTensor(*backend, {2, 3}, 57);
    const auto output = module->forward(input).tensor();
    const auto before = valuesOf(output);
    const auto gradInput = module->backward(input, output).tensor();
    CHECK(module->forward(other).tensor().sharesStorageWith(output));
    CHECK(valuesOf(output) != before);
    CHECK(module->backward(other, module->output).tensor().sharesStorageWith(gradInput));
  }
}

}  // namespace torchette::testing

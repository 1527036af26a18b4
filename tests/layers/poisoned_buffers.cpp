// No layer reads what an earlier call left in a buffer, unless its forward left it for its
// backward: results do not change when buffers are filled with NaN between the calls.
#include <doctest/doctest.h>

#include <limits>

#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

/// The plane of ones that per-sample convolutions keep between calls.
bool isPlaneOfOnes(std::string_view field, const Tensor& tensor) {
  const std::vector<float> ones(static_cast<std::size_t>(tensor.elements()), 1.0F);
  return field == "fgradInput" && tensor.rank() == 2 && valuesOf(tensor) == ones;
}

void poison(std::string_view field, const Tensor& tensor) {
  if (tensor.isEmpty() || isPlaneOfOnes(field, tensor)) return;
  const auto elements = static_cast<std::size_t>(tensor.elements());
  if (tensor.dtype() == DType::float32) {
    tensor.copyFromValues(std::vector<float>(elements, std::numeric_limits<float>::quiet_NaN()));
  } else {
    tensor.copyFromValues(std::vector<std::int64_t>(elements, -1));
  }
}

/// Everything that forward must write before it reads it.
void poisonBeforeForward(nn::Module& network) {
  network.forEachModule([](nn::Module& module) {
    module.visitTensors([](std::string_view field, nn::Role role, Tensor& tensor) {
      const bool isKept = role == nn::Role::parameter || role == nn::Role::parameterGradient ||
                          role == nn::Role::state;
      if (!isKept) poison(field, tensor);
    });
  });
}

/// Everything that backward must write before it reads it: gradients, and columns unless they are
/// what a forward by batch left.
void poisonBeforeBackward(nn::Module& network, nn::WorkspaceStrategy strategy) {
  network.forEachModule([&](nn::Module& module) {
    const bool keepsColumns =
        strategy == nn::WorkspaceStrategy::batch && module.type() == "nn.SpatialConvolution";
    module.visitTensors([&](std::string_view field, nn::Role role, Tensor& tensor) {
      const bool isKept = field == "finput" && keepsColumns;
      if ((role == nn::Role::gradient || role == nn::Role::workspace) && !isKept) {
        poison(field, tensor);
      }
    });
  });
}

struct Results {
  std::vector<float> values;
  std::vector<float> parameters;

  bool operator==(const Results&) const = default;
};

/// Three steps with batches of several sizes; all that comes out, and what the gradients add up to.
Results train(const std::shared_ptr<Backend>& backend, const std::string& expression,
              const Shape& sample, nn::WorkspaceStrategy strategy, bool isPoisoned) {
  const auto network = moduleOn(backend, expression);
  network->setWorkspaceStrategy(strategy);
  Results results;
  for (const std::int64_t samples : {3, 5, 2}) {
    if (isPoisoned) poisonBeforeForward(*network);
    const auto input = randomTensor(*backend, sample.inserted(0, samples), 71);
    const auto& output = network->forward(input).tensor();
    const auto gradOutput = randomTensor(*backend, output.shape(), 72);
    for (const float value : valuesOf(output)) results.values.push_back(value);
    if (isPoisoned) poisonBeforeBackward(*network, strategy);
    const auto gradInput = valuesOf(network->backward(input, gradOutput));
    for (const float value : gradInput) results.values.push_back(value);
  }
  results.parameters = valuesOf(*network, {nn::Role::parameterGradient, nn::Role::state});
  return results;
}

}  // namespace

TEST_CASE("NaN in buffers between the calls changes no result") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      const auto check = [&](const std::string& expression, const Shape& sample) {
        CAPTURE(expression);
        CHECK(train(backend, expression, sample, strategy, true) ==
              train(backend, expression, sample, strategy, false));
      };
      check("nn.SpatialConvolution(2,3,3,3,1,1,1,1)", {2, 5, 4});
      check("nn.SpatialConvolution(2,3,3,3):noBias()", {2, 5, 4});
      check("nn.SpatialFullConvolution(2,3,4,4,2,2,1,1)", {2, 3, 4});
      check("nn.SpatialFullConvolution(2,3,2,2,3,3):noBias()", {2, 3, 4});
      check("nn.SpatialMaxPooling(3,3,2,2):ceil()", {2, 6, 6});
      check("nn.SpatialAveragePooling(3,3,2,2,1,1)", {2, 6, 6});
      check("nn.SpatialBatchNormalization(2)", {2, 4, 6});
      check("nn.Linear(5,4)", {5});
      check("nn.Linear(5,4,false)", {5});
      check("nn.LogSoftMax()", {5});
      check("nn.ConcatTable():add(nn.Linear(5,4)):add(nn.Linear(5,4)); nn.CAddTable()", {5});
      check(
          "nn.SpatialConvolution(1,3,3,3,1,1,1,1); nn.SpatialBatchNormalization(3);"
          "nn.ReLU(true); nn.SpatialMaxPooling(2,2); nn.SpatialFullConvolution(3,2,2,2,2,2);"
          "nn.Dropout(0.4,false,true); nn.View(72):setNumInputDims(3); nn.Linear(72,5);"
          "nn.LogSoftMax()",
          {1, 6, 6});
    });
  }
}

}  // namespace torchette::testing

// A batch is its samples: layers without batch statistics treat each one alone.
#include <doctest/doctest.h>

#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

using Floats = std::vector<float>;

void append(Floats& list, const Floats& more) { list.insert(list.end(), more.begin(), more.end()); }

/// Forward and backward of a batch against those of its samples, one after the other; the
/// parameter gradients add up.
void checkBatch(const std::shared_ptr<Backend>& backend, const std::string& expression,
                const Shape& shape, nn::WorkspaceStrategy strategy) {
  INFO(expression, " on ", shape.toString());
  const auto module = moduleOn(backend, expression);
  module->setWorkspaceStrategy(strategy);
  const auto input = randomTensor(*backend, shape, 21);
  const auto output = module->forward(input).tensor();
  const auto gradOutput = randomTensor(*backend, output.shape(), 22);
  module->zeroGradParameters();
  const auto gradInput = valuesOf(module->backward(input, gradOutput));
  const auto batchOutput = valuesOf(output);
  const auto gradients = gradientValuesOf(*module);

  module->zeroGradParameters();
  Floats outputs, gradInputs;
  for (std::int64_t sample = 0; sample < shape[0]; ++sample) {
    const auto one = input.narrow(0, sample, 1);
    append(outputs, valuesOf(module->forward(one)));
    const auto gradOne = gradOutput.narrow(0, sample, 1).view(module->output.tensor().shape());
    append(gradInputs, valuesOf(module->backward(one, gradOne)));
  }
  checkClose(batchOutput, outputs, 1e-6);
  checkClose(gradInput, gradInputs, 1e-6);
  checkClose(gradients, gradientValuesOf(*module), 1e-5);
}

}  // namespace

TEST_CASE("a batch gives what its samples give one by one") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      const auto check = [&](const std::string& expression, const Shape& shape) {
        checkBatch(backend, expression, shape, strategy);
      };
      check("nn.SpatialConvolution(3,4,3,2,2,1,1,0)", {5, 3, 7, 8});
      check("nn.SpatialFullConvolution(3,4,4,4,2,2,1,1)", {5, 3, 4, 5});
      check("nn.SpatialMaxPooling(3,3,2,2,1,1):ceil()", {5, 3, 6, 7});
      check("nn.SpatialAveragePooling(3,2,2,1,1,1)", {5, 3, 6, 7});
      check("nn.Linear(6,4)", {5, 6});
      check("nn.ReLU()", {5, 3, 2});
      check("nn.LeakyReLU(0.1)", {5, 3, 2});
      check("nn.Tanh()", {5, 7});
      check("nn.Sigmoid()", {5, 7});
      check("nn.SoftMax()", {5, 4, 2, 3});
      check("nn.LogSoftMax()", {5, 4});
      check("nn.View(6)", {5, 2, 3});
      check("nn.Reshape(3,2)", {5, 6});
      check(
          "nn.SpatialConvolution(2,6,3,3); nn.ReLU(true); nn.SpatialMaxPooling(2,2);"
          "nn.SpatialFullConvolution(6,2,2,2,2,2); nn.View(-1):setNumInputDims(3);"
          "nn.Linear(32,3); nn.LogSoftMax()",
          {5, 2, 6, 6});
    });
  }
}

TEST_CASE("batch normalisation in evaluation treats each sample alone") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.SpatialBatchNormalization(3)");
    module->forward(randomTensor(*backend, {4, 3, 5, 5}, 23));
    module->evaluate();
    const auto input = randomTensor(*backend, {4, 3, 2, 2}, 24);
    const auto expected = valuesOf(module->forward(input));
    Floats outputs;
    for (std::int64_t sample = 0; sample < 4; ++sample) {
      append(outputs, valuesOf(module->forward(input.narrow(0, sample, 1))));
    }
    CHECK(outputs == expected);
  }
}

}  // namespace torchette::testing

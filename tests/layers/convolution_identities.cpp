// What must hold between convolutions whatever their numbers are.
#include <doctest/doctest.h>

#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

/// The full convolution's forward against the gradInput of the convolution with the same weight,
/// whose input has the full convolution's output size. `adjustment` is appended to the former.
void checkForwardIsGradInput(const std::shared_ptr<Backend>& backend, const std::string& window,
                             const std::string& adjustment, const Shape& shape,
                             nn::WorkspaceStrategy strategy) {
  INFO("window ", window, adjustment);
  const auto full =
      moduleOn(backend, "nn.SpatialFullConvolution(3,2," + window + adjustment + "):noBias()");
  const auto convolution = moduleOn(backend, "nn.SpatialConvolution(2,3," + window + ")");
  convolution->setWorkspaceStrategy(strategy);
  fieldOf(*convolution, "weight").copyFrom(fieldOf(*full, "weight"));
  const auto input = randomTensor(*backend, shape, 3);
  const auto& output = full->forward(input).tensor();
  const auto image = randomTensor(*backend, output.shape(), 4);
  convolution->forward(image);
  const auto& gradInput = convolution->backward(image, input);
  checkClose(valuesOf(output), valuesOf(gradInput), 1e-6);
}

struct Results {
  std::vector<float> output, gradInput, gradients;
};

Results resultsOf(const std::shared_ptr<Backend>& backend, const std::string& expression,
                  const Shape& shape, nn::WorkspaceStrategy strategy) {
  const auto module = moduleOn(backend, expression);
  module->setWorkspaceStrategy(strategy);
  const auto input = randomTensor(*backend, shape, 5);
  const auto& output = module->forward(input).tensor();
  const auto gradOutput = randomTensor(*backend, output.shape(), 6);
  module->zeroGradParameters();
  const auto gradInput = valuesOf(module->backward(input, gradOutput));
  return {valuesOf(output), gradInput, gradientValuesOf(*module)};
}

}  // namespace

TEST_CASE("forward of a full convolution is gradInput of the convolution with its weight") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      checkForwardIsGradInput(backend, "3,3,1,1,0,0", "", {2, 3, 4, 5}, strategy);
      checkForwardIsGradInput(backend, "4,4,2,2,1,1", "", {2, 3, 3, 2}, strategy);
      checkForwardIsGradInput(backend, "3,2,3,2,1,0", ",2,1", {2, 3, 2, 3}, strategy);
      checkForwardIsGradInput(backend, "2,5,1,3,1,2", ",0,2", {3, 3, 4}, strategy);
    });
  }
}

TEST_CASE("all workspace strategies give the same results") {
  FOR_EACH_BACKEND(backend) {
    const auto check = [&](const std::string& expression, const Shape& shape) {
      INFO(expression, " on ", shape.toString());
      const auto expected = resultsOf(backend, expression, shape, nn::WorkspaceStrategy::batch);
      forEachStrategy([&](nn::WorkspaceStrategy strategy) {
        const auto actual = resultsOf(backend, expression, shape, strategy);
        checkClose(actual.output, expected.output, 1e-6);
        checkClose(actual.gradInput, expected.gradInput, 1e-6);
        checkClose(actual.gradients, expected.gradients, 1e-5);
      });
    };
    check("nn.SpatialConvolution(3,4,4,4,2,2,1,1)", {5, 3, 16, 12});
    check("nn.SpatialConvolution(2,5,3,2,2,1,1,2):noBias()", {3, 2, 7, 9});
    check("nn.SpatialConvolution(2,5,3,3)", {2, 7, 9});
    check("nn.SpatialConvolution(1,1,1,1)", {1, 1, 1, 1});
    check("nn.SpatialConvolution(2,4,3,3); nn.Tanh(); nn.SpatialConvolution(4,2,3,3)",
          {2, 2, 8, 8});
  }
}

TEST_CASE("a 3-D input gives what a batch of one gives without its batch dimension") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      for (const std::string expression :
           {"nn.SpatialConvolution(2,3,3,3,1,1,1,1)", "nn.SpatialFullConvolution(2,3,4,4,2,2,1,1)",
            "nn.SpatialMaxPooling(2,2)", "nn.SpatialAveragePooling(2,2)"}) {
        CAPTURE(expression);
        const auto module = moduleOn(backend, expression);
        module->setWorkspaceStrategy(strategy);
        const auto batch = randomTensor(*backend, {1, 2, 6, 4}, 7);
        const auto single = batch.select(0, 0);
        const auto batchOutput = module->forward(batch).tensor();
        const auto expected = valuesOf(batchOutput);
        const auto& output = module->forward(single).tensor();
        CHECK(output.shape() == batchOutput.shape().without(0));
        CHECK(valuesOf(output) == expected);
        CHECK(module->backward(single, output).tensor().shape() == single.shape());
      }
    });
  }
}

}  // namespace torchette::testing

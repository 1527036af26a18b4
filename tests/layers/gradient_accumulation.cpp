// Parameter gradients add up, scaled, until they are zeroed; gradInput does not.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

/// Calls check(module, input, gradOutput) after one forward of each kind of layer that has
/// parameters, with gradients at zero.
template <class Check>
void forEachLayerWithParameters(const std::shared_ptr<Backend>& backend, const Check& check) {
  const auto prepare = [&](const std::string& expression, const Shape& shape,
                           nn::WorkspaceStrategy strategy) {
    INFO(expression);
    const auto module = moduleOn(backend, expression);
    module->setWorkspaceStrategy(strategy);
    module->zeroGradParameters();
    const auto input = randomTensor(*backend, shape, 31);
    const auto gradOutput = randomTensor(*backend, module->forward(input).tensor().shape(), 32);
    check(*module, input, gradOutput);
  };
  forEachStrategy([&](nn::WorkspaceStrategy strategy) {
    prepare("nn.SpatialConvolution(2,3,3,3,1,1,1,1)", {3, 2, 6, 5}, strategy);
    prepare("nn.SpatialFullConvolution(2,3,4,4,2,2,1,1)", {3, 2, 3, 4}, strategy);
    prepare("nn.SpatialBatchNormalization(2)", {3, 2, 4, 3}, strategy);
    prepare("nn.Linear(5,4)", {3, 5}, strategy);
    prepare("nn.ConcatTable():add(nn.Linear(5,4)):add(nn.Linear(5,4)); nn.CAddTable()", {3, 5},
            strategy);
  });
}

bool hasOnlyZeros(const std::vector<float>& values) {
  return std::ranges::all_of(values, [](float value) { return value == 0; });
}

}  // namespace

TEST_CASE("scale multiplies parameter gradients but not gradInput") {
  FOR_EACH_BACKEND(backend) {
    forEachLayerWithParameters(
        backend, [](nn::Module& module, const Tensor& input, const Tensor& gradOutput) {
          const auto gradInput = valuesOf(module.backward(input, gradOutput));
          const auto gradients = gradientValuesOf(module);
          module.zeroGradParameters();
          CHECK(valuesOf(module.backward(input, gradOutput, -0.25F)) == gradInput);
          checkClose(gradientValuesOf(module), scaled(gradients, -0.25F), 1e-6);
        });
  }
}

TEST_CASE("a scale of zero leaves parameter gradients as they are") {
  FOR_EACH_BACKEND(backend) {
    forEachLayerWithParameters(
        backend, [](nn::Module& module, const Tensor& input, const Tensor& gradOutput) {
          module.backward(input, gradOutput);
          const auto gradients = gradientValuesOf(module);
          module.backward(input, gradOutput, 0);
          CHECK(gradientValuesOf(module) == gradients);
        });
  }
}

TEST_CASE("two backwards add their gradients until zeroGradParameters") {
  FOR_EACH_BACKEND(backend) {
    forEachLayerWithParameters(
        backend, [](nn::Module& module, const Tensor& input, const Tensor& gradOutput) {
          module.backward(input, gradOutput);
          const auto gradients = gradientValuesOf(module);
          CHECK_FALSE(hasOnlyZeros(gradients));
          module.backward(input, gradOutput);
          checkClose(gradientValuesOf(module), scaled(gradients, 2), 1e-6);
          module.backward(input, gradOutput, 1.5F);
          checkClose(gradientValuesOf(module), scaled(gradients, 3.5F), 1e-5);
          module.zeroGradParameters();
          CHECK(hasOnlyZeros(gradientValuesOf(module)));
          module.backward(input, gradOutput);
          CHECK(gradientValuesOf(module) == gradients);
        });
  }
}

TEST_CASE("a new layer has gradients of zero") {
  FOR_EACH_BACKEND(backend) {
    for (const std::string expression :
         {"nn.SpatialConvolution(2,3,3,3)", "nn.SpatialFullConvolution(2,3,3,3)",
          "nn.SpatialBatchNormalization(4)", "nn.Linear(3,2)"}) {
      CAPTURE(expression);
      const auto module = moduleOn(backend, expression);
      CHECK_FALSE(gradientValuesOf(*module).empty());
      CHECK(hasOnlyZeros(gradientValuesOf(*module)));
    }
  }
}

TEST_CASE("forward leaves parameters and gradients alone") {
  FOR_EACH_BACKEND(backend) {
    forEachLayerWithParameters(
        backend, [](nn::Module& module, const Tensor& input, const Tensor& gradOutput) {
          module.backward(input, gradOutput);
          const auto parameters = parameterValuesOf(module), gradients = gradientValuesOf(module);
          module.forward(input);
          CHECK(parameterValuesOf(module) == parameters);
          CHECK(gradientValuesOf(module) == gradients);
        });
  }
}

}  // namespace torchette::testing

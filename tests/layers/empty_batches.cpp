// A batch of no samples is a batch: results are empty and gradients stay as they are.
#include <doctest/doctest.h>

#include "layers/criteria/bce_criterion.h"
#include "layers/criteria/cross_entropy_criterion.h"
#include "layers/criteria/mse_criterion.h"
#include "layers/models/model.h"
#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

void checkEmptyBatch(Backend& backend, nn::Module& module, const Shape& input,
                     const Shape& output) {
  const auto gradients = gradientValuesOf(module);
  const auto state = valuesOf(module, {nn::Role::state});
  const auto none = tensor(backend, input, {});
  CHECK(module.forward(none).tensor().shape().toString() == output.toString());
  const auto gradOutput = tensor(backend, output, {});
  CHECK(module.backward(none, gradOutput).tensor().shape().toString() == input.toString());
  CHECK(gradientValuesOf(module) == gradients);
  CHECK(valuesOf(module, {nn::Role::state}) == state);
}

}  // namespace

TEST_CASE("layers take a batch of no samples") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      const auto check = [&](const std::string& expression, const Shape& input,
                             const Shape& output) {
        CAPTURE(expression);
        const auto module = moduleOn(backend, expression);
        module->setWorkspaceStrategy(strategy);
        checkEmptyBatch(*backend, *module, input, output);
        module->evaluate();
        checkEmptyBatch(*backend, *module, input, output);
      };
      check("nn.SpatialConvolution(3,4,3,3)", {0, 3, 8, 8}, {0, 4, 6, 6});
      check("nn.SpatialFullConvolution(3,4,3,3)", {0, 3, 8, 8}, {0, 4, 10, 10});
      check("nn.SpatialMaxPooling(2,2)", {0, 3, 8, 8}, {0, 3, 4, 4});
      check("nn.SpatialAveragePooling(2,2)", {0, 3, 8, 8}, {0, 3, 7, 7});
      check("nn.SpatialBatchNormalization(3)", {0, 3, 8, 8}, {0, 3, 8, 8});
      check("nn.Linear(5,2)", {0, 5}, {0, 2});
      for (const std::string expression :
           {"nn.ReLU()", "nn.ReLU(true)", "nn.LeakyReLU(0.1)", "nn.Tanh()", "nn.Sigmoid()",
            "nn.SoftMax()", "nn.LogSoftMax()", "nn.Dropout()", "nn.Identity()"}) {
        check(expression, {0, 5}, {0, 5});
      }
      check("nn.View(12)", {0, 3, 4}, {0, 12});
      check("nn.View(12):setNumInputDims(2)", {0, 3, 4}, {0, 12});
      check("nn.Reshape(12)", {0, 3, 4}, {0, 12});
      check("nn.ConcatTable():add(nn.Tanh()):add(nn.Identity()); nn.CAddTable()", {0, 3}, {0, 3});
    });
  }
}

TEST_CASE("built-in models take a batch of no samples") {
  FOR_EACH_BACKEND(backend) {
    const auto lenet = nn::makeModel("lenet", contextOn(backend));
    checkEmptyBatch(*backend, *lenet.network, {0, 1, 28, 28}, {0, 10});
    const auto autoencoder = nn::makeModel("autoencoder", contextOn(backend));
    checkEmptyBatch(*backend, *autoencoder.network, {0, 1, 28, 28}, {0, 1, 28, 28});
  }
}

TEST_CASE("a full batch after an empty one gives what it always gives") {
  FOR_EACH_BACKEND(backend) {
    const std::string expression =
        "nn.SpatialConvolution(1,2,3,3); nn.SpatialBatchNormalization(2); nn.ReLU(true);"
        "nn.SpatialMaxPooling(2,2); nn.View(2):setNumInputDims(3); nn.Linear(2,3)";
    const auto used = moduleOn(backend, expression), fresh = moduleOn(backend, expression);
    used->forward(tensor(*backend, {0, 1, 4, 4}, {}));
    const auto input = randomTensor(*backend, {2, 1, 4, 4}, 1);
    const auto gradOutput = randomTensor(*backend, {2, 3}, 2);
    CHECK(valuesOf(used->forward(input)) == valuesOf(fresh->forward(input)));
    CHECK(valuesOf(used->backward(input, gradOutput)) ==
          valuesOf(fresh->backward(input, gradOutput)));
    CHECK(gradientValuesOf(*used) == gradientValuesOf(*fresh));
  }
}

TEST_CASE("the loss of no samples is zero") {
  FOR_EACH_BACKEND(backend) {
    const auto context = contextOn(backend);
    const auto check = [&](nn::Criterion& criterion, const Tensor& input, const Tensor& target) {
      CHECK(criterion.forward(input, target) == 0);
      CHECK(criterion.backward(input, target).shape() == input.shape());
    };
    const auto scores = tensor(*backend, {0, 4}, {});
    const auto classes = Tensor::fromValues<std::int64_t>(backend->allocator(), {0}, {});
    check(*nn::build<nn::ClassNLLCriterion>("nll", context), scores, classes);
    check(*nn::build<nn::CrossEntropyCriterion>("ce", context), scores, classes);
    check(*nn::build<nn::MSECriterion>("mse", context), scores, scores);
    check(*nn::build<nn::BCECriterion>("bce", context), scores, scores);
  }
}

}  // namespace torchette::testing

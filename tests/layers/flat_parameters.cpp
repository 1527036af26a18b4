// getParameters: all parameters in one vector and all gradients in another.
#include <doctest/doctest.h>

#include "layers/optim/sgd.h"
#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

constexpr const char* network =
    "nn.SpatialConvolution(1,2,3,3); nn.SpatialBatchNormalization(2); nn.Tanh();"
    "nn.View(8):setNumInputDims(3); nn.Linear(8,3)";
constexpr std::int64_t networkParameters = 18 + 2 + 2 + 2 + 24 + 3;

}  // namespace

TEST_CASE("flat vectors hold layer after layer and weight before bias") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, network);
    const auto before = parameterValuesOf(*module);
    const auto [parameters, gradParameters] = module->getParameters();
    CHECK(parameters.shape() == Shape{networkParameters});
    CHECK(gradParameters.shape() == Shape{networkParameters});
    CHECK(valuesOf(parameters) == before);
    std::int64_t offset = 0;
    const auto [values, gradients] = module->parameters();
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(values[i]->sharesStorageWith(parameters));
      CHECK(gradients[i]->sharesStorageWith(gradParameters));
      CHECK(values[i]->offset() == offset);
      CHECK(gradients[i]->offset() == offset);
      offset += values[i]->elements();
    }
    CHECK(offset == networkParameters);
    CHECK(fieldOf(*module->children()[4], "bias").offset() == networkParameters - 3);
  }
}

TEST_CASE("what is written into the flat vectors is what the layers see") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.Linear(2,1)");
    const auto [parameters, gradParameters] = module->getParameters();
    parameters.copyFromValues<float>({2, 3, 10});
    const auto input = tensor(*backend, {2}, {1, 2});
    CHECK(valuesOf(module->forward(input)) == std::vector<float>{18});
    module->backward(input, tensor(*backend, {1}, {0.5F}));
    CHECK(valuesOf(gradParameters) == std::vector<float>{0.5F, 1, 0.5F});
    gradParameters.zero();
    CHECK(valuesOf(fieldOf(*module, "gradWeight")) == std::vector<float>{0, 0});
  }
}

TEST_CASE("a second call makes new vectors and detaches the old ones") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, network);
    const auto first = module->getParameters();
    const auto values = valuesOf(first.parameters);
    const auto second = module->getParameters();
    CHECK_FALSE(second.parameters.sharesStorageWith(first.parameters));
    CHECK(valuesOf(second.parameters) == values);
    first.parameters.zero();
    CHECK(parameterValuesOf(*module) == values);
  }
}

TEST_CASE("flat parameters change no result") {
  FOR_EACH_BACKEND(backend) {
    const auto plain = moduleOn(backend, network), flat = moduleOn(backend, network);
    const auto vectors = flat->getParameters();
    const auto input = randomTensor(*backend, {3, 1, 4, 4}, 1);
    const auto gradOutput = randomTensor(*backend, {3, 3}, 2);
    CHECK(valuesOf(flat->forward(input)) == valuesOf(plain->forward(input)));
    CHECK(valuesOf(flat->backward(input, gradOutput)) ==
          valuesOf(plain->backward(input, gradOutput)));
    CHECK(valuesOf(vectors.gradParameters) == gradientValuesOf(*plain));
    nn::build<optim::Sgd>("sgd", contextOn(backend), optim::SgdConfig{.learningRate = 0.5})
        ->step(vectors.parameters, vectors.gradParameters);
    CHECK(valuesOf(flat->forward(input)) != valuesOf(plain->forward(input)));
  }
}

TEST_CASE("a network without parameters has empty vectors") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.Tanh(); nn.ReLU()");
    const auto [parameters, gradParameters] = module->getParameters();
    CHECK(parameters.elements() == 0);
    CHECK(gradParameters.elements() == 0);
    nn::build<optim::Sgd>("sgd", contextOn(backend), optim::SgdConfig{})
        ->step(parameters, gradParameters);
  }
}

TEST_CASE("parameters come in pairs with their gradients") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, network);
    const auto [values, gradients] = module->parameters();
    REQUIRE(values.size() == 6);
    REQUIRE(gradients.size() == 6);
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(values[i]->shape() == gradients[i]->shape());
    }
  }
}

}  // namespace torchette::testing

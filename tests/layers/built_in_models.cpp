// The built-in models: their parts, sizes and what they compute.
#include <doctest/doctest.h>

#include <cmath>

#include "layers/models/model.h"
#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

std::int64_t parametersOf(nn::Module& network) {
  std::int64_t elements = 0;
  for (const auto* tensor : network.parameters().values) elements += tensor->elements();
  return elements;
}

std::vector<std::string> pathsOf(nn::Module& network) {
  std::vector<std::string> paths;
  network.forEachModule([&](nn::Module& module) { paths.push_back(module.path()); });
  return paths;
}

}  // namespace

TEST_CASE("lenet has its named layers and 431080 parameters") {
  FOR_EACH_BACKEND(backend) {
    const auto model = nn::makeModel("lenet", contextOn(backend));
    CHECK(pathsOf(*model.network) ==
          std::vector<std::string>{"net", "net/conv1", "net/pool1", "net/conv2", "net/pool2",
                                   "net/view", "net/fc1", "net/relu", "net/fc2", "net/logsoftmax"});
    CHECK(parametersOf(*model.network) == 431080);
    CHECK(model.objective == nn::Objective::classification);
    CHECK(model.sampleShape == Shape{1, 28, 28});
  }
}

TEST_CASE("lenet gives log-probabilities of ten classes") {
  FOR_EACH_BACKEND(backend) {
    const auto model = nn::makeModel("lenet", contextOn(backend));
    for (const std::int64_t samples : {1, 3}) {
      const auto input = randomTensor(*backend, {samples, 1, 28, 28}, 1);
      const auto& output = model.network->forward(input).tensor();
      CHECK(output.shape() == Shape{samples, 10});
      double sum = 0;
      for (const float value : valuesOf(output)) sum += std::exp(static_cast<double>(value));
      CHECK(sum == doctest::Approx(static_cast<double>(samples)));
      CHECK(model.network->backward(input, output).tensor().shape() == input.shape());
    }
  }
}

TEST_CASE("the autoencoder has its named layers and gives images of the size of its input") {
  FOR_EACH_BACKEND(backend) {
    const auto model = nn::makeModel("autoencoder", contextOn(backend));
    CHECK(pathsOf(*model.network) ==
          std::vector<std::string>{"net", "net/conv1", "net/relu1", "net/conv2", "net/relu2",
                                   "net/full1", "net/relu3", "net/full2", "net/sigmoid"});
    CHECK(model.objective == nn::Objective::reconstruction);
    const auto input = randomTensor(*backend, {2, 1, 28, 28}, 1);
    const auto& output = model.network->forward(input).tensor();
    CHECK(output.shape() == input.shape());
    CHECK(fieldOf(*model.network->children()[3], "output").shape() == Shape{2, 8, 7, 7});
    CHECK(model.network->backward(input, output).tensor().shape() == input.shape());
  }
}

TEST_CASE("built-in models are found by name") {
  for (const auto& model : nn::builtInModels()) {
    CHECK(nn::findBuiltInModel(model.name) == &model);
    CHECK_FALSE(model.summary.empty());
  }
  CHECK(nn::findBuiltInModel("nothing") == nullptr);
}

}  // namespace torchette::testing

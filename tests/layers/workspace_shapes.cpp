// The article's two layers: shapes and bytes of every tensor, by strategy.
#include <doctest/doctest.h>

#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

struct Field {
  std::string name;
  Shape shape;
  std::int64_t bytes;
};

/// Each tensor has the shape and, in the ledger too, exactly the bytes that are expected.
void checkFields(nn::Module& module, const std::vector<Field>& fields) {
  std::int64_t total = 0;
  for (const auto& field : fields) {
    CAPTURE(field.name);
    const auto& tensor = fieldOf(module, field.name);
    CHECK(tensor.shape().toString() == field.shape.toString());
    CHECK(tensor.bytes() == field.bytes);
    CHECK(heldBytes("net", field.name) == field.bytes);
    total += field.bytes;
  }
  std::int64_t tensors = 0;
  module.visitTensors([&](std::string_view, nn::Role, Tensor&) { ++tensors; });
  CHECK(tensors == static_cast<std::int64_t>(fields.size()));
  CHECK(heldBytesBelow("net") == total);
}

void forwardAndBackward(Backend& backend, nn::Module& module, const Shape& shape) {
  const auto input = randomTensor(backend, shape, 41);
  const auto gradOutput = randomTensor(backend, module.forward(input).tensor().shape(), 42);
  module.backward(input, gradOutput);
}

const std::vector<Field> convolutionParameters = {{"weight", {4, 3, 4, 4}, 768},
                                                  {"gradWeight", {4, 3, 4, 4}, 768},
                                                  {"bias", {4}, 16},
                                                  {"gradBias", {4}, 16},
                                                  {"output", {16, 4, 16, 16}, 65536}};

std::vector<Field> with(std::vector<Field> fields, const std::vector<Field>& more) {
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

}  // namespace

TEST_CASE("SpatialConvolution by batch holds the columns of the whole batch twice") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.SpatialConvolution(3,4,4,4,2,2,1,1)");
    module->setWorkspaceStrategy(nn::WorkspaceStrategy::batch);
    module->forward(randomTensor(*backend, {16, 3, 32, 32}, 1));
    checkFields(*module, with(convolutionParameters, {{"finput", {16, 48, 256}, 786432},
                                                      {"fgradInput", {}, 0},
                                                      {"gradInput", {}, 0}}));
    forwardAndBackward(*backend, *module, {16, 3, 32, 32});
    checkFields(*module, with(convolutionParameters, {{"finput", {16, 48, 256}, 786432},
                                                      {"fgradInput", {16, 48, 256}, 786432},
                                                      {"gradInput", {16, 3, 32, 32}, 196608}}));
  }
}

TEST_CASE("SpatialConvolution by sample holds the columns of one sample") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.SpatialConvolution(3,4,4,4,2,2,1,1)");
    module->setWorkspaceStrategy(nn::WorkspaceStrategy::sample);
    forwardAndBackward(*backend, *module, {16, 3, 32, 32});
    checkFields(*module, with(convolutionParameters, {{"finput", {48, 256}, 49152},
                                                      {"fgradInput", {16, 16}, 1024},
                                                      {"gradInput", {16, 3, 32, 32}, 196608}}));
  }
}

TEST_CASE("SpatialFullConvolution holds the columns of one sample whatever the strategy") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      const auto module = moduleOn(backend, "nn.SpatialFullConvolution(4,3,4,4,2,2,1,1)");
      module->setWorkspaceStrategy(strategy);
      forwardAndBackward(*backend, *module, {16, 4, 16, 16});
      checkFields(*module, {{"output", {16, 3, 32, 32}, 196608},
                            {"gradInput", {16, 4, 16, 16}, 65536},
                            {"finput", {48, 256}, 49152},
                            {"fgradInput", {32, 32}, 4096},
                            {"weight", {4, 3, 4, 4}, 768},
                            {"gradWeight", {4, 3, 4, 4}, 768},
                            {"bias", {3}, 12},
                            {"gradBias", {3}, 12}});
    });
  }
}

TEST_CASE("a layer without bias has neither bias nor its bytes") {
  FOR_EACH_BACKEND(backend) {
    for (const std::string expression :
         {"nn.SpatialConvolution(3,4,4,4):noBias()", "nn.SpatialFullConvolution(3,4,4,4):noBias()",
          "nn.Linear(48,4):noBias()", "nn.Linear(48,4,false)"}) {
      CAPTURE(expression);
      const auto module = moduleOn(backend, expression);
      CHECK(module->parameters().values.size() == 1);
      CHECK(module->parameters().gradients.size() == 1);
      CHECK(heldBytes("net", "bias") == 0);
      CHECK(heldBytes("net", "gradBias") == 0);
      CHECK(heldBytes("net", "weight") == 768);
    }
  }
}

TEST_CASE("Linear holds ones for a batch and none for a single sample") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.Linear(5,2)");
    module->forward(randomTensor(*backend, {5}, 1));
    CHECK(fieldOf(*module, "addBuffer").rank() == 0);
    module->forward(randomTensor(*backend, {3, 5}, 1));
    CHECK(valuesOf(fieldOf(*module, "addBuffer")) == std::vector<float>{1, 1, 1});
  }
}

TEST_CASE("a backend has the default strategy of its kind") {
  CHECK(nn::defaultWorkspaceStrategy("cpu") == nn::WorkspaceStrategy::batch);
  CHECK(nn::defaultWorkspaceStrategy("cuda") == nn::WorkspaceStrategy::sample);
  CHECK(nn::defaultWorkspaceStrategy("simulated") == nn::WorkspaceStrategy::sample);
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.SpatialConvolution(3,4,4,4,2,2,1,1)");
    module->forward(randomTensor(*backend, {2, 3, 32, 32}, 1));
    const auto byDefault = fieldOf(*module, "finput").shape();
    module->setWorkspaceStrategy(nn::defaultWorkspaceStrategy(backend->name()));
    CHECK(fieldOf(*module, "finput").isEmpty());
    module->forward(randomTensor(*backend, {2, 3, 32, 32}, 1));
    CHECK(fieldOf(*module, "finput").shape() == byDefault);
  }
}

TEST_CASE("switching the strategy frees the workspaces of the old one") {
  FOR_EACH_BACKEND(backend) {
    const auto network =
        moduleOn(backend, "nn.SpatialConvolution(3,4,4,4,2,2,1,1); nn.SpatialConvolution(4,2,3,3)");
    network->setWorkspaceStrategy(nn::WorkspaceStrategy::batch);
    const auto input = randomTensor(*backend, {16, 3, 32, 32}, 1);
    network->forward(input);
    CHECK(heldBytes("net/1", "finput") == 786432);
    network->setWorkspaceStrategy(nn::WorkspaceStrategy::sample);
    for (const std::string owner : {"net/1", "net/2"}) {
      CHECK(heldBytes(owner, "finput") == 0);
      CHECK(heldBytes(owner, "fgradInput") == 0);
    }
    network->forward(input);
    CHECK(heldBytes("net/1", "finput") == 49152);
    CHECK(heldBytes("net/2", "finput") == 36 * 14 * 14 * 4);
  }
}

TEST_CASE("strategies have names") {
  forEachStrategy([](nn::WorkspaceStrategy strategy) {
    CHECK(nn::workspaceStrategyNamed(nn::nameOf(strategy)) == strategy);
  });
  CHECK(nn::nameOf(nn::WorkspaceStrategy::batch) == "batch");
  CHECK(nn::nameOf(nn::WorkspaceStrategy::sample) == "sample");
}

}  // namespace torchette::testing

// Modules compute what Torch7 computed: results, gradients, buffers, aliases and printed form.
#include <doctest/doctest.h>

#include "tests/layers/golden_case.h"
#include "tests/support/golden.h"

namespace torchette::testing {

TEST_CASE("SpatialConvolution computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "SpatialConvolution", 5); }
}

TEST_CASE("SpatialFullConvolution computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "SpatialFullConvolution", 4); }
}

TEST_CASE("SpatialMaxPooling computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "SpatialMaxPooling", 5); }
}

TEST_CASE("SpatialAveragePooling computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "SpatialAveragePooling", 5); }
}

TEST_CASE("SpatialBatchNormalization computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "SpatialBatchNormalization", 5); }
}

TEST_CASE("Linear computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "Linear", 3); }
}

TEST_CASE("ReLU computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "ReLU", 2); }
}

TEST_CASE("LeakyReLU computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "LeakyReLU", 2); }
}

TEST_CASE("Tanh computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "Tanh", 2); }
}

TEST_CASE("Sigmoid computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "Sigmoid", 2); }
}

TEST_CASE("SoftMax computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "SoftMax", 4); }
}

TEST_CASE("LogSoftMax computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "LogSoftMax", 4); }
}

TEST_CASE("Dropout in evaluation computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "Dropout", 2); }
}

TEST_CASE("View computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "View", 4); }
}

TEST_CASE("Reshape computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "Reshape", 4); }
}

TEST_CASE("Identity computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "Identity", 2); }
}

TEST_CASE("CAddTable computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "CAddTable", 2); }
}

TEST_CASE("ConcatTable computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "ConcatTable", 1); }
}

TEST_CASE("a residual block computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkGoldenModules(backend, "Sequential", 1); }
}

TEST_CASE("the strategy sample holds one sample of columns and a plane of ones") {
  FOR_EACH_BACKEND(backend) {
    for (const std::string number : {"1", "2", "3", "4", "5"}) {
      CAPTURE(number);
      const auto golden = loadGolden("SpatialConvolution__" + number + ".json");
      const auto module = moduleOn(backend, golden.at("lua"));
      module->setWorkspaceStrategy(nn::WorkspaceStrategy::sample);
      const auto input = goldenActivity(*backend, golden.at("input"));
      const auto& output = module->forward(input).tensor();
      const auto batchShape = golden.at("finput_shape").get<std::vector<std::int64_t>>();
      CHECK(fieldOf(*module, "finput").shape() ==
            Shape(std::vector<std::int64_t>(batchShape.end() - 2, batchShape.end())));
      const auto& ones = fieldOf(*module, "fgradInput");
      CHECK(ones.shape() == Shape{output.size(output.rank() - 2), output.size(output.rank() - 1)});
      CHECK(valuesOf(ones) == std::vector<float>(static_cast<std::size_t>(ones.elements()), 1.0F));
    }
  }
}

}  // namespace torchette::testing

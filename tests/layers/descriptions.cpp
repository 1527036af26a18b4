// Modules print themselves as Torch7 prints them.
#include <doctest/doctest.h>

#include "layers/criteria/bce_criterion.h"
#include "layers/criteria/cross_entropy_criterion.h"
#include "layers/criteria/mse_criterion.h"
#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

struct Printed {
  std::string expression, description;
};

void checkDescriptions(const std::vector<Printed>& modules) {
  for (const auto& module : modules) {
    CAPTURE(module.expression);
    CHECK(moduleOn(cpuBackend(), module.expression)->description() == module.description);
  }
}

}  // namespace

TEST_CASE("convolutions print planes and kernel and what differs from the default") {
  checkDescriptions({
      {"nn.SpatialConvolution(3,4,4,4,2,2,1,1)", "nn.SpatialConvolution(3 -> 4, 4x4, 2,2, 1,1)"},
      {"nn.SpatialConvolution(3,4,3,3)", "nn.SpatialConvolution(3 -> 4, 3x3)"},
      {"nn.SpatialConvolution(3,4,3,2,2,1,1,0)", "nn.SpatialConvolution(3 -> 4, 3x2, 2,1, 1,0)"},
      {"nn.SpatialConvolution(3,4,3,3):noBias()",
       "nn.SpatialConvolution(3 -> 4, 3x3) without bias"},
      {"nn.SpatialConvolution(3,4,1,1,1,1,1,1)", "nn.SpatialConvolution(3 -> 4, 1x1, 1,1, 1,1)"},
      {"nn.SpatialFullConvolution(4,3,4,4,2,2,1,1)",
       "nn.SpatialFullConvolution(4 -> 3, 4x4, 2,2, 1,1)"},
      {"nn.SpatialFullConvolution(4,3,4,4)", "nn.SpatialFullConvolution(4 -> 3, 4x4)"},
      {"nn.SpatialFullConvolution(4,3,3,3,2,2,1,1,1,1)",
       "nn.SpatialFullConvolution(4 -> 3, 3x3, 2,2, 1,1, 1,1)"},
      {"nn.SpatialFullConvolution(4,3,4,4,2,2,1,1):noBias()",
       "nn.SpatialFullConvolution(4 -> 3, 4x4, 2,2, 1,1) without bias"},
  });
}

TEST_CASE("padH defaults to padW in convolution and to zero in full convolution") {
  checkDescriptions({
      {"nn.SpatialConvolution(3,4,5,5,1,1,2)", "nn.SpatialConvolution(3 -> 4, 5x5, 1,1, 2,2)"},
      {"nn.SpatialFullConvolution(3,4,5,5,1,1,2)",
       "nn.SpatialFullConvolution(3 -> 4, 5x5, 1,1, 2,0)"},
  });
}

TEST_CASE("pooling layers print kernel and stride and padding") {
  checkDescriptions({
      {"nn.SpatialMaxPooling(2,2)", "nn.SpatialMaxPooling(2x2, 2,2)"},
      {"nn.SpatialMaxPooling(3,3,2,2,1,1):ceil()", "nn.SpatialMaxPooling(3x3, 2,2, 1,1)"},
      {"nn.SpatialAveragePooling(2,2)", "nn.SpatialAveragePooling(2x2, 1,1)"},
      {"nn.SpatialAveragePooling(3,3,2,2,1,1):setCountExcludePad()",
       "nn.SpatialAveragePooling(3x3, 2,2, 1,1)"},
  });
}

TEST_CASE("other layers print their name and numbers") {
  checkDescriptions({
      {"nn.SpatialBatchNormalization(8)", "nn.SpatialBatchNormalization (4D) (8)"},
      {"nn.Linear(7,5)", "nn.Linear(7 -> 5)"},
      {"nn.Linear(7,5,false)", "nn.Linear(7 -> 5) without bias"},
      {"nn.ReLU(true)", "nn.ReLU"},
      {"nn.LeakyReLU(0.2,true)", "nn.LeakyReLU(0.2)"},
      {"nn.LeakyReLU()", "nn.LeakyReLU(0.01)"},
      {"nn.LeakyReLU(true)", "nn.LeakyReLU(0.01)"},
      {"nn.Tanh()", "nn.Tanh"},
      {"nn.Sigmoid()", "nn.Sigmoid"},
      {"nn.SoftMax()", "nn.SoftMax"},
      {"nn.LogSoftMax()", "nn.LogSoftMax"},
      {"nn.Dropout(0.3)", "nn.Dropout(0.300000)"},
      {"nn.View(12)", "nn.View(12)"},
      {"nn.View(-1, 4):setNumInputDims(3)", "nn.View(-1, 4)"},
      {"nn.Reshape(3,4)", "nn.Reshape(3x4)"},
      {"nn.Identity()", "nn.Identity"},
      {"nn.CAddTable()", "nn.CAddTable"},
  });
}

TEST_CASE("empty containers print their frame") {
  checkDescriptions({
      {"nn.ConcatTable()", "nn.ConcatTable {\n  input\n     ... -> output\n}"},
      {"nn.Sequential()", "nn.Sequential {\n  [input -> output]\n}"},
  });
}

TEST_CASE("nested containers print as a tree") {
  checkDescriptions({{
      "nn.SpatialConvolution(3,8,3,3,1,1,1,1); nn.SpatialBatchNormalization(8); nn.ReLU();"
      "nn.ConcatTable():add(nn.Sequential():add(nn.SpatialConvolution(8,8,3,3,1,1,1,1))"
      ":add(nn.LeakyReLU(0.2))):add(nn.Identity())"
      ":add(nn.ConcatTable():add(nn.Tanh()):add(nn.Sigmoid())); nn.CAddTable(); nn.View(-1)",
      R"(nn.Sequential {
  [input -> (1) -> (2) -> (3) -> (4) -> (5) -> (6) -> output]
  (1): nn.SpatialConvolution(3 -> 8, 3x3, 1,1, 1,1)
  (2): nn.SpatialBatchNormalization (4D) (8)
  (3): nn.ReLU
  (4): nn.ConcatTable {
    input
      |`-> (1): nn.Sequential {
      |      [input -> (1) -> (2) -> output]
      |      (1): nn.SpatialConvolution(8 -> 8, 3x3, 1,1, 1,1)
      |      (2): nn.LeakyReLU(0.2)
      |    }
      |`-> (2): nn.Identity
       `-> (3): nn.ConcatTable {
             input
               |`-> (1): nn.Tanh
                `-> (2): nn.Sigmoid
                ... -> output
           }
       ... -> output
  }
  (5): nn.CAddTable
  (6): nn.View(-1)
})",
  }});
}

TEST_CASE("criteria have the names of Torch7") {
  const auto context = contextOn(cpuBackend());
  CHECK(nn::ClassNLLCriterion(context).type() == "nn.ClassNLLCriterion");
  CHECK(nn::CrossEntropyCriterion(context).type() == "nn.CrossEntropyCriterion");
  CHECK(nn::MSECriterion(context).type() == "nn.MSECriterion");
  CHECK(nn::BCECriterion(context).type() == "nn.BCECriterion");
}

}  // namespace torchette::testing

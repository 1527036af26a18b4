// Backward of every layer computes the derivatives of its forward.
#include <doctest/doctest.h>

#include "tests/layers/derivative_check.h"

namespace torchette::testing {

TEST_CASE("backward of SpatialConvolution computes its derivatives") {
  FOR_EACH_BACKEND(backend) {
    checkDerivatives(
        backend, {{"nn.SpatialConvolution(2,3,3,3)", {2, 2, 5, 4}, linearDifferences},
                  {"nn.SpatialConvolution(2,3,3,2,2,1,1,0)", {2, 2, 5, 6}, linearDifferences},
                  {"nn.SpatialConvolution(2,2,2,3,1,2,0,2)", {2, 2, 4, 5}, linearDifferences},
                  {"nn.SpatialConvolution(1,2,5,5,1,1,2,2)", {2, 1, 2, 3}, linearDifferences},
                  {"nn.SpatialConvolution(2,3,2,2,3,3)", {1, 2, 6, 7}, linearDifferences},
                  {"nn.SpatialConvolution(2,3,3,3)", {2, 5, 4}, linearDifferences},
                  {"nn.SpatialConvolution(3,2,1,1)", {2, 3, 3, 2}, linearDifferences},
                  {"nn.SpatialConvolution(2,3,3,3):noBias()", {2, 2, 4, 4}, linearDifferences}});
  }
}

TEST_CASE("backward of SpatialFullConvolution computes its derivatives") {
  FOR_EACH_BACKEND(backend) {
    checkDerivatives(
        backend,
        {{"nn.SpatialFullConvolution(2,3,3,3)", {2, 2, 3, 4}, linearDifferences},
         {"nn.SpatialFullConvolution(2,2,3,2,3,2,1,0,2,1)", {2, 2, 2, 3}, linearDifferences},
         {"nn.SpatialFullConvolution(2,1,4,4,2,2,1,1)", {2, 3, 2}, linearDifferences},
         {"nn.SpatialFullConvolution(3,2,4,4)", {2, 3, 1, 1}, linearDifferences},
         {"nn.SpatialFullConvolution(2,3,2,3,2,1):noBias()", {2, 2, 3, 2}, linearDifferences}});
  }
}

TEST_CASE("backward of the pooling layers computes their derivatives") {
  FOR_EACH_BACKEND(backend) {
    checkDerivatives(
        backend, {{"nn.SpatialMaxPooling(2,2)", {2, 2, 4, 6}},
                  {"nn.SpatialMaxPooling(3,2,1,2,1,1)", {2, 2, 4, 5}},
                  {"nn.SpatialMaxPooling(3,3,2,2):ceil()", {1, 2, 6, 6}},
                  {"nn.SpatialMaxPooling(2,2,2,2)", {2, 4, 4}},
                  {"nn.SpatialAveragePooling(2,2)", {2, 2, 4, 5}, linearDifferences},
                  {"nn.SpatialAveragePooling(3,2,2,3,1,1):ceil()", {1, 2, 8, 7}, linearDifferences},
                  {"nn.SpatialAveragePooling(3,3,2,2,1,1):setCountExcludePad()",
                   {2, 5, 6},
                   linearDifferences}});
  }
}

TEST_CASE("backward of batch normalisation computes its derivatives") {
  FOR_EACH_BACKEND(backend) {
    checkDerivatives(backend,
                     {{"nn.SpatialBatchNormalization(3)", {2, 3, 3, 2}},
                      {"nn.SpatialBatchNormalization(2,1e-3,0.3)", {4, 2, 1, 1}},
                      {"nn.SpatialBatchNormalization(2,1e-5,0.1,false)", {3, 2, 2, 3}},
                      {"nn.SpatialBatchNormalization(3)", {2, 3, 3, 2}, smoothDifferences, false},
                      {"nn.SpatialBatchNormalization(2,1e-5,0.1,false)",
                       {3, 2, 2, 3},
                       smoothDifferences,
                       false}});
  }
}

TEST_CASE("backward of Linear computes its derivatives") {
  FOR_EACH_BACKEND(backend) {
    checkDerivatives(backend, {{"nn.Linear(5,3)", {4, 5}, linearDifferences},
                               {"nn.Linear(5,3)", {5}, linearDifferences},
                               {"nn.Linear(4,6,false)", {3, 4}, linearDifferences}});
  }
}

TEST_CASE("backward of the element-wise layers computes their derivatives") {
  FOR_EACH_BACKEND(backend) {
    checkDerivatives(backend, {{"nn.ReLU()", {3, 4, 5}},
                               {"nn.ReLU(true)", {3, 4, 5}},
                               {"nn.LeakyReLU(0.2)", {20}},
                               {"nn.LeakyReLU(0.2,true)", {4, 5}},
                               {"nn.LeakyReLU(-0.5,true)", {4, 5}},
                               {"nn.Tanh()", {2, 3, 2, 4}},
                               {"nn.Sigmoid()", {5, 7}},
                               {"nn.Identity()", {3, 2}}});
  }
}

TEST_CASE("backward of the soft max layers computes their derivatives") {
  FOR_EACH_BACKEND(backend) {
    std::vector<DerivativeCase> cases;
    for (const std::string layer : {"nn.SoftMax()", "nn.LogSoftMax()"}) {
      for (const Shape& shape : {Shape{6}, Shape{4, 5}, Shape{4, 2, 3}, Shape{2, 4, 3, 2}}) {
        cases.push_back({layer, shape});
      }
    }
    checkDerivatives(backend, cases);
  }
}

TEST_CASE("backward of Dropout computes its derivatives for the noise of its forward") {
  FOR_EACH_BACKEND(backend) {
    checkDerivatives(backend, {{"nn.Dropout(0.4)", {4, 6}, linearDifferences},
                               {"nn.Dropout(0.4,false,true)", {4, 6}, linearDifferences},
                               {"nn.Dropout(0.4,true)", {4, 6}, linearDifferences},
                               {"nn.Dropout(0.4,true,true)", {4, 6}, linearDifferences, false}});
  }
}

TEST_CASE("backward of View and Reshape computes their derivatives") {
  FOR_EACH_BACKEND(backend) {
    checkDerivatives(backend, {{"nn.View(6)", {2, 2, 3}, linearDifferences},
                               {"nn.View(-1,2)", {4, 3}, linearDifferences},
                               {"nn.Reshape(3,2)", {2, 6}, linearDifferences},
                               {"nn.Reshape(3,2)", {2, 3}, linearDifferences}});
  }
}

TEST_CASE("backward of containers computes their derivatives") {
  FOR_EACH_BACKEND(backend) {
    checkDerivatives(
        backend,
        {{"nn.ConcatTable():add(nn.Linear(4,3)):add(nn.Linear(4,3)); nn.CAddTable()", {3, 4}},
         {"nn.ConcatTable():add(nn.Linear(4,4)):add(nn.Identity()):add(nn.Identity());"
          "nn.CAddTable(true); nn.Sigmoid()",
          {3, 4}},
         {"nn.Linear(4,5); nn.Tanh(); nn.Linear(5,2)", {3, 4}},
         {"nn.Sequential():add(nn.Sequential():add(nn.Linear(4,2)):add(nn.Tanh()))", {3, 4}}});
  }
}

TEST_CASE("backward of a convolutional network computes its derivatives") {
  FOR_EACH_BACKEND(backend) {
    checkDerivatives(backend,
                     {{"nn.SpatialConvolution(2,3,3,3,1,1,1,1):noBias();"
                       "nn.SpatialBatchNormalization(3); nn.Tanh();"
                       "nn.SpatialAveragePooling(2,2,2,2); nn.SpatialFullConvolution(3,2,2,2,2,2);"
                       "nn.View(32); nn.Dropout(0.3); nn.Linear(32,4); nn.Tanh()",
                       {2, 2, 4, 4}}});
  }
}

}  // namespace torchette::testing

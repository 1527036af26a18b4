// Inputs and gradients that do not fit are refused, with the module's path and both sizes.
#include <doctest/doctest.h>

#include "runtime/errors.h"
#include "runtime/host_device.h"
#include "tests/layers/layer_support.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

/// Forwards a random tensor of a wrong shape through the module "net".
void checkRefused(const std::shared_ptr<Backend>& backend, const std::string& expression,
                  const Shape& shape, std::vector<std::string> words) {
  INFO(expression, " on ", shape.toString());
  const auto module = moduleOn(backend, expression);
  words.emplace_back("net: ");
  const auto input = randomTensor(*backend, shape, 1);
  checkThrows<ShapeError>([&] { module->forward(input); }, words);
}

}  // namespace

TEST_CASE("an input of another number of planes is refused") {
  FOR_EACH_BACKEND(backend) {
    for (const std::string type : {"nn.SpatialConvolution", "nn.SpatialFullConvolution"}) {
      checkRefused(backend, type + "(3,4,3,3)", {2, 2, 8, 8},
                   {"expected an input of 3 planes", "got 2", "2x2x8x8"});
      checkRefused(backend, type + "(3,4,3,3)", {8, 8, 8}, {"3 planes", "got 8", "8x8x8"});
    }
    checkRefused(backend, "nn.SpatialBatchNormalization(3)", {2, 4, 5, 5},
                 {"batch x 3 x height x width", "2x4x5x5"});
  }
}

TEST_CASE("an input of another number of dimensions is refused") {
  FOR_EACH_BACKEND(backend) {
    for (const std::string expression :
         {"nn.SpatialConvolution(3,4,3,3)", "nn.SpatialFullConvolution(3,4,3,3)",
          "nn.SpatialMaxPooling(2,2)", "nn.SpatialAveragePooling(2,2)"}) {
      checkRefused(backend, expression, {3, 8}, {"planes x height x width", "3x8"});
      checkRefused(backend, expression, {1, 2, 3, 8, 8}, {"1x2x3x8x8"});
      checkRefused(backend, expression, {}, {"empty"});
    }
    checkRefused(backend, "nn.SpatialBatchNormalization(3)", {3, 5, 5}, {"batch x 3", "3x5x5"});
    checkRefused(backend, "nn.SoftMax()", {1, 2, 3, 4, 5}, {"1 to 4 dimensions", "1x2x3x4x5"});
    checkRefused(backend, "nn.LogSoftMax()", {}, {"1 to 4 dimensions", "empty"});
    checkRefused(backend, "nn.Reshape(2)", {}, {"dimensions", "empty"});
  }
}

TEST_CASE("an input that the kernel does not fit into is refused with both sizes") {
  FOR_EACH_BACKEND(backend) {
    checkRefused(backend, "nn.SpatialConvolution(3,4,5,5)", {2, 3, 3, 3},
                 {"input size 3x3x3", "output size 4x-1x-1", "too small"});
    checkRefused(backend, "nn.SpatialConvolution(1,2,3,5,2,2)", {1, 4, 9},
                 {"input size 1x4x9", "output size 2x0x4"});
    checkRefused(backend, "nn.SpatialMaxPooling(3,3)", {2, 3, 2, 4},
                 {"input size 3x2x4", "output size 3x0x1"});
    checkRefused(backend, "nn.SpatialFullConvolution(1,2,1,1,1,1,1,1)", {1, 1, 2, 4},
                 {"input size 1x2x4", "output size 2x0x2"});
    checkRefused(backend, "nn.SpatialConvolution(3,4,1,1)", {2, 3, 0, 4},
                 {"input size 3x0x4", "output size 4x0x4"});
  }
}

TEST_CASE("an input of another number of features is refused by Linear") {
  FOR_EACH_BACKEND(backend) {
    checkRefused(backend, "nn.Linear(5,2)", {3, 4}, {"size 5 or batch x 5", "3x4"});
    checkRefused(backend, "nn.Linear(5,2)", {4}, {"size 5", "got 4"});
    checkRefused(backend, "nn.Linear(5,2)", {2, 3, 5}, {"2x3x5", "nn.View"});
  }
}

TEST_CASE("a view that does not divide the input is refused") {
  FOR_EACH_BACKEND(backend) {
    checkRefused(backend, "nn.View(7)", {2, 5}, {"2x5", "cannot be viewed as 7", "10 elements"});
    checkRefused(backend, "nn.View(-1,3)", {2, 5}, {"2x5", "-1x3"});
    checkRefused(backend, "nn.View(4):setNumInputDims(2)", {4, 1, 3}, {"4x1x3", "3 elements"});
    checkRefused(backend, "nn.Reshape(7)", {2, 5}, {"2x5", "2x7"});
  }
}

TEST_CASE("integers are refused by layers that compute with floats") {
  FOR_EACH_BACKEND(backend) {
    const auto integers = [&](const Shape& shape) {
      return Tensor::fromValues(
          backend->allocator(), shape,
          std::vector<std::int64_t>(static_cast<std::size_t>(shape.elements()), 1));
    };
    const auto check = [&](const std::string& expression, const Shape& shape) {
      CAPTURE(expression);
      const auto module = moduleOn(backend, expression);
      checkThrows<ShapeError>([&] { module->forward(integers(shape)); },
                              {"net: ", "float32", "int64", shape.toString()});
    };
    check("nn.SpatialConvolution(1,1,1,1)", {1, 1, 2, 2});
    check("nn.SpatialFullConvolution(1,1,1,1)", {1, 1, 2, 2});
    check("nn.SpatialMaxPooling(2,2)", {1, 1, 2, 2});
    check("nn.SpatialAveragePooling(2,2)", {1, 1, 2, 2});
    check("nn.SpatialBatchNormalization(1)", {1, 1, 2, 2});
    check("nn.Linear(2,2)", {2, 2});
    check("nn.ReLU()", {2, 2});
    check("nn.ReLU(true)", {2, 2});
    check("nn.Tanh()", {2, 2});
    check("nn.SoftMax()", {2, 2});
    check("nn.Dropout()", {2, 2});
  }
}

TEST_CASE("a table is refused where a tensor is expected and a tensor where a table is") {
  FOR_EACH_BACKEND(backend) {
    const nn::Activity table = std::vector<nn::Activity>{randomTensor(*backend, {2, 3}, 1),
                                                         randomTensor(*backend, {2, 3}, 2)};
    for (const std::string expression :
         {"nn.Linear(3,2)", "nn.ReLU()", "nn.View(3)", "nn.SpatialMaxPooling(2,2)"}) {
      CAPTURE(expression);
      const auto module = moduleOn(backend, expression);
      checkThrows<ShapeError>([&] { module->forward(table); },
                              {"net: ", "expected a tensor", "table of 2"});
    }
    const auto sum = moduleOn(backend, "nn.CAddTable()");
    checkThrows<ShapeError>(
        [&] {
          sum->forward(randomTensor(*backend, {2, 3}, 3));
        },
        {"net: ", "expected a table", "2x3"});
  }
}

TEST_CASE("CAddTable refuses tensors of several sizes and an empty table") {
  FOR_EACH_BACKEND(backend) {
    const auto sum = moduleOn(backend, "nn.CAddTable()");
    const nn::Activity table = std::vector<nn::Activity>{randomTensor(*backend, {2, 3}, 1),
                                                         randomTensor(*backend, {3, 2}, 2)};
    checkThrows<ShapeError>([&] { sum->forward(table); }, {"net: ", "one size", "{2x3, 3x2}"});
    checkThrows<ShapeError>([&] { sum->forward(std::vector<nn::Activity>{}); },
                            {"net: ", "at least one tensor"});
  }
}

TEST_CASE("the message names the module inside the network") {
  FOR_EACH_BACKEND(backend) {
    const auto network = moduleOn(
        backend, "nn.Tanh(); nn.Sequential():add(nn.Tanh()):add(nn.SpatialConvolution(3,4,3,3))");
    checkThrows<ShapeError>(
        [&] {
          network->forward(randomTensor(*backend, {2, 2, 8, 8}, 1));
        },
        {"net/2/2: ", "3 planes", "got 2"});
  }
}

TEST_CASE("a gradOutput of another size than the output is refused") {
  FOR_EACH_BACKEND(backend) {
    const auto check = [&](const std::string& expression, const Shape& shape, const Shape& wrong) {
      INFO(expression, " on ", shape.toString());
      const auto module = moduleOn(backend, expression);
      const auto input = randomTensor(*backend, shape, 1);
      const auto output = module->forward(input).tensor().shape().toString();
      const auto gradOutput = randomTensor(*backend, wrong, 2);
      checkThrows<ShapeError>([&] { module->backward(input, gradOutput); },
                              {"net: ", "gradOutput", output, wrong.toString()});
    };
    check("nn.SpatialConvolution(3,6,3,3)", {2, 3, 7, 7}, {2, 4, 5, 5});
    check("nn.SpatialFullConvolution(3,6,3,3)", {2, 3, 3, 3}, {2, 6, 5});
    check("nn.SpatialMaxPooling(2,2)", {2, 3, 4, 4}, {2, 3, 4, 4});
    check("nn.Linear(3,2)", {4, 3}, {4, 3});
    check("nn.ReLU()", {4, 3}, {3, 4});
    check("nn.View(12)", {2, 3, 4}, {24});
    check("nn.SpatialBatchNormalization(3)", {2, 3, 2, 2}, {2, 3, 4});
    check("nn.Linear(3,2); nn.Tanh()", {4, 3}, {4, 3});
  }
}

TEST_CASE("a gradOutput that is a table is refused where the output is a tensor") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.Tanh()");
    const auto input = randomTensor(*backend, {2, 3}, 1);
    module->forward(input);
    const nn::Activity table = std::vector<nn::Activity>{input};
    checkThrows<ShapeError>([&] { module->backward(input, table); }, {"net: ", "2x3", "{2x3}"});
  }
}

TEST_CASE("a tensor without storage is refused") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.Tanh()");
    checkThrows<StateError>([&] { module->forward(Tensor()); }, {"net: ", "without storage"});
  }
}

TEST_CASE("a tensor of another device is refused") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.Tanh()");
    const auto elsewhere = std::make_shared<TrackingAllocator>(
        std::make_shared<DeviceAllocator>(std::make_shared<HostDevice>()), ledger());
    const auto input = tensor(elsewhere, {2}, {1, 2});
    checkThrows<ShapeError>([&] { module->forward(input); }, {"net: ", "device", "size 2"});
  }
}

}  // namespace torchette::testing

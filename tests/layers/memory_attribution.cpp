// Every byte is attributed to the module and the field that asked for it.
#include <doctest/doctest.h>

#include "layers/criteria/cross_entropy_criterion.h"
#include "layers/optim/adam.h"
#include "layers/sequential.h"
#include "layers/spatial_convolution.h"
#include "layers/tanh.h"
#include "runtime/errors.h"
#include "tests/layers/layer_support.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

std::int64_t sumOf(const std::vector<Holding>& holdings) {
  std::int64_t bytes = 0;
  for (const auto& holding : holdings) bytes += holding.bytes;
  return bytes;
}

std::vector<std::string> pathsOf(nn::Module& network) {
  std::vector<std::string> paths;
  network.forEachModule([&](nn::Module& module) { paths.push_back(module.path()); });
  return paths;
}

}  // namespace

TEST_CASE("bytes of a named module carry its path and field") {
  FOR_EACH_BACKEND(backend) {
    const auto net = nn::build<nn::Sequential>("net", contextOn(backend));
    net->add<nn::SpatialConvolution>("conv1", 3, 4, 4, 4, 2, 2, 1, 1);
    net->setWorkspaceStrategy(nn::WorkspaceStrategy::batch);
    net->forward(randomTensor(*backend, {16, 3, 32, 32}, 1));
    CHECK(heldBytes("net/conv1", "finput") == 786432);
    CHECK(heldBytes("net/conv1", "output") == 65536);
    CHECK(heldBytes("net/conv1", "weight") == 768);
    CHECK(heldBytes("net", "output") == 0);
  }
}

TEST_CASE("modules without a name get the numbers of Torch7") {
  FOR_EACH_BACKEND(backend) {
    const auto net = nn::build<nn::Sequential>("net", contextOn(backend));
    CHECK(net->add<nn::Tanh>().path() == "net/1");
    CHECK(net->add<nn::Tanh>("named").path() == "net/named");
    CHECK(net->add<nn::Tanh>().path() == "net/3");
  }
}

TEST_CASE("a second module of the same name is refused and nothing has changed") {
  FOR_EACH_BACKEND(backend) {
    const auto net = nn::build<nn::Sequential>("net", contextOn(backend));
    net->add<nn::Tanh>("2");
    checkThrows<ArgumentError>([&] { net->add<nn::Tanh>(); }, {"net: ", "net/2", "another name"});
    CHECK(net->size() == 1);
    CHECK(net->add<nn::Tanh>("3").path() == "net/3");
  }
}

TEST_CASE("paths of nested containers are joined") {
  FOR_EACH_BACKEND(backend) {
    const auto net = nn::build<nn::Sequential>("net", contextOn(backend));
    auto& block = net->add<nn::Sequential>("block");
    auto& inner = block.add<nn::Sequential>();
    inner.add<nn::SpatialConvolution>("conv", 1, 1, 3, 3);
    CHECK(pathsOf(*net) ==
          std::vector<std::string>{"net", "net/block", "net/block/1", "net/block/1/conv"});
    net->forward(randomTensor(*backend, {1, 1, 4, 4}, 1));
    CHECK(heldBytes("net/block/1/conv", "output") == 16);
  }
}

TEST_CASE("modules of an expression are numbered within their containers") {
  FOR_EACH_BACKEND(backend) {
    const auto network = moduleOn(
        backend,
        "nn.Tanh(); nn.ConcatTable():add(nn.Identity()):add(nn.Sequential():add(nn.Tanh()))");
    CHECK(pathsOf(*network) ==
          std::vector<std::string>{"net", "net/1", "net/2", "net/2/1", "net/2/2", "net/2/2/1"});
    CHECK(moduleOn(backend, "nn.Tanh()")->path() == "net");
  }
}

TEST_CASE("live and peak bytes are the sums over their holders") {
  FOR_EACH_BACKEND(backend) {
    const auto context = contextOn(backend);
    const auto network = moduleOn(backend,
                                  "nn.SpatialConvolution(3,4,3,3); nn.SpatialBatchNormalization(4);"
                                  "nn.ReLU(true); nn.View(144):setNumInputDims(3);"
                                  "nn.Linear(144,5)");
    const auto criterion = nn::build<nn::CrossEntropyCriterion>("criterion", context);
    const auto adam = nn::build<optim::Adam>("adam", context, optim::AdamConfig{});
    const auto [parameters, gradParameters] = network->getParameters();
    for (const std::int64_t samples : {2, 5, 3}) {
      const auto input = randomTensor(*backend, {samples, 3, 8, 8}, 1);
      const auto target =
          Tensor::fromValues(backend->allocator(), {samples},
                             std::vector<std::int64_t>(static_cast<std::size_t>(samples), 1));
      const auto& output = network->forward(input).tensor();
      criterion->forward(output, target);
      network->backward(input, criterion->backward(output, target));
      adam->step(parameters, gradParameters);
      CHECK(sumOf(ledger()->liveHoldings()) == ledger()->liveBytes());
      CHECK(sumOf(ledger()->peakHoldings()) == ledger()->peakBytes());
    }
    CHECK(heldBytes("adam", "m") == parameters.bytes());
    CHECK(heldBytes("adam", "v") == parameters.bytes());
    CHECK(heldBytes("criterion", "gradInput") == 5 * 5 * 4);
    CHECK(heldBytes("criterion/lsm", "output") == 5 * 5 * 4);
  }
}

TEST_CASE("a copy of a strided input is attributed to the module that needs it") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.Linear(4,3)");
    const auto input = randomTensor(*backend, {4, 64}, 1).transpose(0, 1);
    ledger()->resetPeak();
    module->forward(input);
    std::int64_t ofModule = 0;
    for (const auto& holding : ledger()->peakHoldings()) {
      ofModule += holding.owner == "net" ? holding.bytes : 0;
    }
    const auto copy = input.bytes();
    CHECK(ofModule >= copy + module->output.tensor().bytes());
  }
}

}  // namespace torchette::testing

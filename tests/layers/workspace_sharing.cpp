// Convolutions that share their workspaces: same results, fewer bytes, and no way to a wrong
// gradient.
#include "layers/workspace_sharing.h"

#include <doctest/doctest.h>

#include "layers/convolution.h"
#include "runtime/errors.h"
#include "tests/layers/layer_support.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

using nn::MemorySharing;
using nn::WorkspaceStrategy;
using Floats = std::vector<float>;

constexpr const char* differentShapes =
    "nn.SpatialConvolution(3,6,3,3,1,1,1,1); nn.Tanh(); nn.SpatialConvolution(6,8,3,3,2,2,1,1);"
    "nn.Tanh(); nn.SpatialConvolution(8,4,3,3,1,1,1,1)";
constexpr const char* equalShapes =
    "nn.SpatialConvolution(4,4,3,3,1,1,1,1); nn.Tanh(); nn.SpatialConvolution(4,4,3,3,1,1,1,1);"
    "nn.Tanh(); nn.SpatialConvolution(4,4,3,3,1,1,1,1)";
constexpr const char* withFullConvolutions =
    "nn.SpatialConvolution(3,6,3,3,1,1,1,1); nn.SpatialFullConvolution(6,4,3,3,2,2,1,1,1,1);"
    "nn.SpatialConvolution(4,3,3,3,1,1,1,1); nn.SpatialFullConvolution(3,2,3,3,1,1,1,1)";

std::unique_ptr<nn::Module> networkOn(const std::shared_ptr<Backend>& backend,
                                      const std::string& expression,
                                      WorkspaceStrategy strategy = WorkspaceStrategy::batch) {
  auto network = moduleOn(backend, expression);
  network->setWorkspaceStrategy(strategy);
  return network;
}

std::unique_ptr<nn::Module> sharedNetworkOn(const std::shared_ptr<Backend>& backend,
                                            const std::string& expression,
                                            WorkspaceStrategy strategy = WorkspaceStrategy::batch) {
  auto network = networkOn(backend, expression, strategy);
  network->evaluate();
  nn::shareWorkspaces(*network);
  return network;
}

nn::Convolution& convolutionOf(nn::Module& network, std::size_t child) {
  return dynamic_cast<nn::Convolution&>(*network.children().at(child));
}

/// What the ledger holds for finput and fgradInput of all layers.
std::int64_t heldWorkspaceBytes() {
  std::int64_t bytes = 0;
  for (const auto& holding : ledger()->liveHoldings()) {
    const bool isWorkspace = holding.field == "finput" || holding.field == "fgradInput";
    bytes += isWorkspace ? holding.bytes : 0;
  }
  return bytes;
}

Tensor imagesFor(Backend& backend, std::int64_t samples, std::int64_t planes = 3) {
  return randomTensor(backend, {samples, planes, 8, 8}, 61);
}

/// Forward and backward; returns the parameter gradients.
Floats gradientsOf(Backend& backend, nn::Module& network, const Tensor& input) {
  network.zeroGradParameters();
  const auto gradOutput = randomTensor(backend, network.forward(input).tensor().shape(), 62);
  network.backward(input, gradOutput);
  return gradientValuesOf(network);
}

/// Bytes of workspaces after a forward and a backward in evaluate mode. A shared network refuses
/// the backward, but only after its workspaces have been allocated.
std::int64_t workspaceBytesAfterPasses(const std::shared_ptr<Backend>& backend,
                                       const std::string& expression, std::int64_t planes,
                                       bool isShared) {
  const auto network = networkOn(backend, expression);
  network->evaluate();
  if (isShared) nn::shareWorkspaces(*network);
  const auto input = imagesFor(*backend, 2, planes);
  const auto gradOutput = randomTensor(*backend, network->forward(input).tensor().shape(), 62);
  if (isShared) {
    checkThrows<StateError>([&] { network->backward(input, gradOutput); }, {"finput"});
  } else {
    network->backward(input, gradOutput);
  }
  return heldWorkspaceBytes();
}

void checkSameOutputs(const std::shared_ptr<Backend>& backend, const std::string& expression,
                      std::int64_t planes) {
  CAPTURE(expression);
  forEachStrategy([&](WorkspaceStrategy strategy) {
    const auto unshared = networkOn(backend, expression, strategy);
    unshared->evaluate();
    const auto shared = sharedNetworkOn(backend, expression, strategy);
    for (const std::int64_t samples : {2, 5, 1, 5}) {
      CAPTURE(samples);
      const auto input = imagesFor(*backend, samples, planes);
      CHECK(valuesOf(shared->forward(input)) == valuesOf(unshared->forward(input)));
    }
  });
}

}  // namespace

TEST_CASE("sharing in training mode is refused with the reason and two ways out") {
  FOR_EACH_BACKEND(backend) {
    const auto network = networkOn(backend, differentShapes);
    const auto expected = gradientsOf(*backend, *network, imagesFor(*backend, 2));
    checkThrows<StateError>([&] { nn::shareWorkspaces(*network); },
                            {"net: ", "training mode", "weight gradient would read columns",
                             "put the network in evaluate mode first", "strategy sample"});
    CHECK(network->memorySharing() == MemorySharing::off);
    CHECK(gradientsOf(*backend, *network, imagesFor(*backend, 2)) == expected);
  }
}

TEST_CASE("a network with one layer left in training mode cannot be shared") {
  FOR_EACH_BACKEND(backend) {
    const auto network = networkOn(backend, differentShapes);
    network->evaluate();
    network->children()[2]->training();
    checkThrows<StateError>([&] { nn::shareWorkspaces(*network); }, {"net/3: ", "training mode"});
    CHECK(network->children()[0]->memorySharing() == MemorySharing::off);
  }
}

TEST_CASE("requests that sharing would break are refused until it is undone") {
  FOR_EACH_BACKEND(backend) {
    const auto network = sharedNetworkOn(backend, differentShapes);
    checkThrows<StateError>([&] { network->training(); },
                            {"net: ", "training mode is refused while workspaces are shared",
                             "gradWeight would be silently wrong", "unshareWorkspaces", "sample"});
    checkThrows<StateError>([&] { network->children()[2]->training(); },
                            {"net/3: ", "unshareWorkspaces", "sample"});
    CHECK_FALSE(network->isTraining());
    CHECK_FALSE(network->children()[2]->isTraining());
    checkThrows<StateError>([&] { network->setWorkspaceStrategy(WorkspaceStrategy::sample); },
                            {"net: ",
                             "another workspace strategy is refused while workspaces are "
                             "shared",
                             "unshareWorkspaces"});
    CHECK(convolutionOf(*network, 0).workspaceStrategy() == WorkspaceStrategy::batch);
    checkThrows<StateError>([&] { network->to(backend); },
                            {"net: ", "a move to another backend is refused"});
    checkThrows<StateError>([&] { nn::shareWorkspaces(*network); }, {"net: ", "shared already"});
    nn::unshareWorkspaces(*network);
    network->training();
    network->setWorkspaceStrategy(WorkspaceStrategy::sample);
  }
}

TEST_CASE("a backward whose columns another layer has overwritten throws and names both") {
  FOR_EACH_BACKEND(backend) {
    for (const std::string expression : {differentShapes, equalShapes}) {
      CAPTURE(expression);
      const auto network = sharedNetworkOn(backend, expression);
      const auto input = imagesFor(*backend, 2, convolutionOf(*network, 0).weight.size(1));
      const auto gradients = gradientValuesOf(*network);
      const auto gradOutput = randomTensor(*backend, network->forward(input).tensor().shape(), 62);
      checkThrows<StateError>([&] { network->backward(input, gradOutput); },
                              {"net/1: ", "finput", "overwritten by net/5", "gradWeight",
                               "unshareWorkspaces", "sample"});
      CHECK(gradientValuesOf(*network) == gradients);
    }
  }
}

TEST_CASE("backward for an input before the last one is refused while shared") {
  FOR_EACH_BACKEND(backend) {
    const auto network = sharedNetworkOn(backend, differentShapes);
    const auto a = imagesFor(*backend, 2), b = randomTensor(*backend, {2, 3, 8, 8}, 63);
    const auto gradOutput = randomTensor(*backend, network->forward(a).tensor().shape(), 62);
    const auto gradients = gradientValuesOf(*network);
    network->forward(b);
    checkThrows<StateError>([&] { network->backward(a, gradOutput); }, {"net: ", "last forward"});
    CHECK(gradientValuesOf(*network) == gradients);
  }
}

TEST_CASE("layers called one by one are guarded as well") {
  FOR_EACH_BACKEND(backend) {
    const auto network = sharedNetworkOn(backend, equalShapes);
    auto &first = convolutionOf(*network, 0), &last = convolutionOf(*network, 4);
    const auto a = imagesFor(*backend, 2, 4), b = randomTensor(*backend, {2, 4, 8, 8}, 63);
    first.forward(a);
    last.forward(b);
    checkThrows<StateError>([&] { first.backward(a, a); }, {"net/1: ", "overwritten by net/5"});
    last.backward(b, b);
    first.forward(a);
    first.backward(a, a);
  }
}

TEST_CASE("columns are guarded when a larger input has made the shared workspace grow") {
  FOR_EACH_BACKEND(backend) {
    const auto network = sharedNetworkOn(backend, equalShapes);
    auto &first = convolutionOf(*network, 0), &last = convolutionOf(*network, 4);
    const auto small = imagesFor(*backend, 2, 4), large = imagesFor(*backend, 5, 4),
               larger = imagesFor(*backend, 9, 4);
    const auto gradients = gradientValuesOf(*network);
    network->forward(small);
    const auto held = heldWorkspaceBytes();
    const auto gradOutput = randomTensor(*backend, network->forward(large).tensor().shape(), 62);
    CHECK(heldWorkspaceBytes() > held);
    checkThrows<StateError>([&] { network->backward(large, gradOutput); },
                            {"net/1: ", "finput", "overwritten by net/5"});
    first.forward(small);
    last.forward(larger);
    checkThrows<StateError>([&] { first.backward(small, small); },
                            {"net/1: ", "finput", "overwritten by net/5"});
    CHECK(gradientValuesOf(*network) == gradients);
  }
}

TEST_CASE("with the strategy sample a shared network in evaluate mode has right gradients") {
  FOR_EACH_BACKEND(backend) {
    const auto unshared = networkOn(backend, differentShapes, WorkspaceStrategy::sample);
    unshared->evaluate();
    const auto shared = sharedNetworkOn(backend, differentShapes, WorkspaceStrategy::sample);
    const auto input = imagesFor(*backend, 3);
    CHECK(gradientsOf(*backend, *shared, input) == gradientsOf(*backend, *unshared, input));
  }
}

TEST_CASE("a shared network computes what an unshared one computes at every batch size") {
  FOR_EACH_BACKEND(backend) {
    checkSameOutputs(backend, differentShapes, 3);
    checkSameOutputs(backend, equalShapes, 4);
    checkSameOutputs(backend, withFullConvolutions, 3);
  }
}

TEST_CASE("a shared network holds the largest workspace instead of the sum") {
  FOR_EACH_BACKEND(backend) {
    CHECK(workspaceBytesAfterPasses(backend, differentShapes, 3, false) == 59904);
    CHECK(workspaceBytesAfterPasses(backend, differentShapes, 3, true) == 27648);
    CHECK(workspaceBytesAfterPasses(backend, equalShapes, 4, false) == 110592);
    CHECK(workspaceBytesAfterPasses(backend, equalShapes, 4, true) == 36864);
    const auto network = sharedNetworkOn(backend, differentShapes);
    network->forward(imagesFor(*backend, 2));
    CHECK(heldWorkspaceBytes() == 13824);  // inference needs no fgradInput
  }
}

TEST_CASE("full convolutions and convolutions share among themselves only") {
  FOR_EACH_BACKEND(backend) {
    const auto network = sharedNetworkOn(backend, withFullConvolutions);
    auto &first = convolutionOf(*network, 0), &firstFull = convolutionOf(*network, 1),
         &second = convolutionOf(*network, 2), &secondFull = convolutionOf(*network, 3);
    const auto input = imagesFor(*backend, 2);
    const auto gradOutput = randomTensor(*backend, network->forward(input).tensor().shape(), 62);
    checkThrows<StateError>([&] { network->backward(input, gradOutput); }, {"net/1: ", "net/3"});
    for (const auto field : {&nn::Convolution::finput, &nn::Convolution::fgradInput}) {
      CHECK((first.*field).sharesStorageWith(second.*field));
      CHECK((firstFull.*field).sharesStorageWith(secondFull.*field));
      CHECK_FALSE((first.*field).sharesStorageWith(firstFull.*field));
    }
    for (const auto* full : {&firstFull, &secondFull}) {
      CHECK(valuesOf(full->fgradInput) ==
            Floats(static_cast<std::size_t>(full->fgradInput.elements()), 1.0F));
    }
  }
}

TEST_CASE("workspaces of different strategies are not mixed") {
  FOR_EACH_BACKEND(backend) {
    const auto network = networkOn(backend, equalShapes);
    network->children()[4]->setWorkspaceStrategy(WorkspaceStrategy::sample);
    network->evaluate();
    nn::shareWorkspaces(*network);
    auto &first = convolutionOf(*network, 0), &last = convolutionOf(*network, 4);
    CHECK(first.finput.sharesStorageWith(convolutionOf(*network, 2).finput));
    CHECK_FALSE(first.finput.sharesStorageWith(last.finput));
    CHECK_FALSE(first.fgradInput.sharesStorageWith(last.fgradInput));
  }
}

TEST_CASE("only the fields that are asked for are shared") {
  FOR_EACH_BACKEND(backend) {
    const auto network = networkOn(backend, equalShapes);
    network->evaluate();
    nn::shareWorkspaces(*network, {.fields = {"fgradInput"}});
    auto &first = convolutionOf(*network, 0), &last = convolutionOf(*network, 4);
    CHECK(first.fgradInput.sharesStorageWith(last.fgradInput));
    CHECK_FALSE(first.finput.sharesStorageWith(last.finput));
    const auto unshared = networkOn(backend, equalShapes);
    unshared->evaluate();
    const auto input = imagesFor(*backend, 2, 4);
    CHECK(gradientsOf(*backend, *network, input) == gradientsOf(*backend, *unshared, input));
  }
}

TEST_CASE("an unshared network trains again with right gradients") {
  FOR_EACH_BACKEND(backend) {
    const auto reference = networkOn(backend, differentShapes);
    const auto network = sharedNetworkOn(backend, differentShapes);
    const auto input = imagesFor(*backend, 2);
    network->forward(input);
    nn::unshareWorkspaces(*network);
    CHECK(network->memorySharing() == MemorySharing::off);
    CHECK(heldWorkspaceBytes() == 0);
    network->training();
    CHECK(gradientsOf(*backend, *network, input) == gradientsOf(*backend, *reference, input));
  }
}

TEST_CASE("sharing outlives clearState and what was shared is freed") {
  FOR_EACH_BACKEND(backend) {
    const auto network = sharedNetworkOn(backend, differentShapes);
    const auto input = imagesFor(*backend, 2);
    const auto expected = valuesOf(network->forward(input));
    network->clearState();
    CHECK(heldWorkspaceBytes() == 0);
    CHECK(network->memorySharing() == MemorySharing::workspace);
    CHECK(valuesOf(network->forward(input)) == expected);
    CHECK(heldWorkspaceBytes() == 13824);
    checkThrows<StateError>([&] { network->training(); }, {"unshareWorkspaces"});
  }
}

TEST_CASE("workspaces shared by hand are caught in training too") {
  FOR_EACH_BACKEND(backend) {
    const auto network = networkOn(backend, equalShapes);
    convolutionOf(*network, 2).finput = Tensor(convolutionOf(*network, 0).finput.storage());
    const auto input = imagesFor(*backend, 2, 4);
    const auto gradients = gradientValuesOf(*network);
    const auto gradOutput = randomTensor(*backend, network->forward(input).tensor().shape(), 62);
    checkThrows<StateError>([&] { network->backward(input, gradOutput); },
                            {"net/1: ", "overwritten by net/3"});
    CHECK(gradientValuesOf(*network) == gradients);
  }
}

TEST_CASE("columns overwritten during backward itself are caught") {
  FOR_EACH_BACKEND(backend) {
    const auto network = networkOn(backend,
                                   "nn.SpatialFullConvolution(3,3,3,3,1,1,1,1);"
                                   "nn.SpatialConvolution(3,2,3,3,1,1,1,1)");
    convolutionOf(*network, 0).finput = Tensor(convolutionOf(*network, 1).finput.storage());
    const auto input = imagesFor(*backend, 2);
    const auto gradOutput = randomTensor(*backend, network->forward(input).tensor().shape(), 62);
    checkThrows<StateError>([&] { network->backward(input, gradOutput); },
                            {"net/2: ", "overwritten by net/1"});
  }
}

}  // namespace torchette::testing

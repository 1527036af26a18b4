// Estimates are runs on the dry backend. They tell to the byte what real runs tell, and take none
// of the memory that they tell of.
#include <doctest/doctest.h>

#include "backends/dry/dry_backend.h"
#include "backends/dry/dry_device.h"
#include "layers/inspection.h"
#include "layers/sequential.h"
#include "layers/spatial_convolution.h"
#include "tests/layers/estimate_run.h"
#include "tests/layers/layer_support.h"
#include "tests/layers/random_network.h"
#include "tests/support/resident_memory.h"

namespace torchette::testing {

namespace {

using nn::WorkspaceStrategy;

constexpr std::uint32_t lastSeed = 220;  ///< of the random networks; the first is 1

constexpr const char* vgg =
    "nn.SpatialConvolution(3,64,3,3,1,1,1,1); nn.ReLU(true); nn.SpatialMaxPooling(2,2,2,2);"
    "nn.SpatialConvolution(64,128,3,3,1,1,1,1); nn.ReLU(true); nn.SpatialMaxPooling(2,2,2,2);"
    "nn.SpatialConvolution(128,256,3,3,1,1,1,1); nn.ReLU(true);"
    "nn.SpatialConvolution(256,256,3,3,1,1,1,1); nn.ReLU(true); nn.SpatialMaxPooling(2,2,2,2);"
    "nn.SpatialConvolution(256,512,3,3,1,1,1,1); nn.ReLU(true);"
    "nn.SpatialConvolution(512,512,3,3,1,1,1,1); nn.ReLU(true); nn.SpatialMaxPooling(2,2,2,2);"
    "nn.SpatialConvolution(512,512,3,3,1,1,1,1); nn.ReLU(true);"
    "nn.SpatialConvolution(512,512,3,3,1,1,1,1); nn.ReLU(true); nn.SpatialMaxPooling(2,2,2,2);"
    "nn.View(25088); nn.Linear(25088,4096); nn.ReLU(); nn.Linear(4096,4096); nn.ReLU();"
    "nn.Linear(4096,1000); nn.LogSoftMax()";

/// The dry backend that stands for another.
std::shared_ptr<Backend> dryBackend(const char* name) {
  return makeDryBackend(
      std::make_shared<TrackingAllocator>(
          std::make_shared<DeviceAllocator>(std::make_shared<DryDevice>()), ledger()),
      profileOf(name));
}

Tensor room(Backend& backend, const Shape& shape) {
  Tensor tensor(backend.allocator());
  tensor.resize(shape);
  return tensor;
}

/// Forward and backward of one batch.
void train(nn::Module& network, Backend& backend, const Shape& inputShape) {
  const auto input = room(backend, inputShape);
  network.forward(input);
  network.backward(input, room(backend, network.output.tensor().shape()));
}

void checkModel(const char* backendName, const std::string& model) {
  for (const bool isTraining : {true, false}) {
    for (const auto strategy : nn::allWorkspaceStrategies()) {
      for (const char* optimizer : {"", "sgd", "adam"}) {
        if (!isTraining && *optimizer != '\0') continue;
        for (const auto& batches : {std::vector<std::int64_t>{1}, {16}, {17}, {1, 16, 17}}) {
          checkEstimate(backendName,
                        {model, {1, 28, 28}, batches, isTraining, strategy, optimizer});
        }
      }
    }
  }
}

void checkRandomNetworks(const char* backendName) {
  MESSAGE("random networks of the seeds 1 to ", lastSeed);
  for (std::uint32_t seed = 1; seed <= lastSeed; ++seed) {
    INFO("seed ", seed);
    const auto [expression, sample] = randomNetwork(seed);
    const char* optimizer = seed % 3 == 0 ? "" : seed % 3 == 1 ? "sgd" : "adam";
    const std::vector<std::int64_t> batches = {1 + seed % 3, 1 + seed % 4};
    for (const bool isTraining : {true, false}) {
      for (const auto strategy : nn::allWorkspaceStrategies()) {
        checkEstimate(backendName, {expression, sample, batches, isTraining, strategy, optimizer});
        if (isTraining) continue;
        checkEstimate(backendName, {expression, sample, batches, isTraining, strategy, optimizer,
                                    /*sharesWorkspaces=*/true});
      }
    }
  }
}

}  // namespace

TEST_CASE("the estimate of lenet is what the cpu holds event by event") {
  checkModel("cpu", "lenet");
}

TEST_CASE("the estimate of the autoencoder is what the cpu holds event by event") {
  checkModel("cpu", "autoencoder");
}

TEST_CASE("estimates of random networks are what the cpu holds event by event") {
  checkRandomNetworks("cpu");
}

TEST_CASE("estimates of random networks are what the simulated backend holds event by event") {
  checkRandomNetworks("simulated");
}

TEST_CASE("an estimate takes the default strategy of the backend that it stands for") {
  for (const char* backendName : {"cpu", "simulated"}) {
    checkEstimate(backendName, {.model = "lenet", .sample = {1, 28, 28}, .batches = {4}});
  }
}

TEST_CASE("random networks use every kind of layer") {
  std::string all;
  for (std::uint32_t seed = 1; seed <= lastSeed; ++seed) all += randomNetwork(seed).expression;
  for (const char* type :
       {"SpatialConvolution", "SpatialFullConvolution", "SpatialMaxPooling",
        "SpatialAveragePooling", "SpatialBatchNormalization", "ReLU(true)", "ReLU(false)",
        "LeakyReLU", "Tanh", "Sigmoid", "Dropout", "CAddTable(true)", ":ceil()", ":noBias()"}) {
    CAPTURE(type);
    CHECK(all.find(type) != std::string::npos);
  }
}

TEST_CASE("the estimate of one large convolution has the bytes of its columns") {
  const auto backend = dryBackend("cpu");
  const auto conv = moduleOn(backend, "nn.SpatialConvolution(64,3,9,9,1,1,4,4)");
  train(*conv, *backend, {16, 64, 224, 224});
  CHECK(heldBytes("net", "finput") == 16647192576);
  CHECK(heldBytes("net", "fgradInput") == 16647192576);
  conv->setWorkspaceStrategy(WorkspaceStrategy::sample);
  train(*conv, *backend, {16, 64, 224, 224});
  CHECK(heldBytes("net", "finput") == 1040449536);
  CHECK(heldBytes("net", "fgradInput") == 224 * 224 * 4);
}

TEST_CASE("the estimate of a wide image has the bytes of its columns and output") {
  const auto backend = dryBackend("cpu");
  const auto conv = moduleOn(backend, "nn.SpatialConvolution(64,64,3,3,1,1,1,1)");
  conv->forward(room(*backend, {1, 64, 1024, 2048}));
  CHECK(heldBytes("net", "finput") == 4831838208);
  CHECK(heldBytes("net", "output") == 536870912);
}

TEST_CASE("the estimate of a large network has the bytes that Torch7 held") {
  const auto backend = dryBackend("cpu");
  const auto network = moduleOn(backend, vgg);
  train(*network, *backend, {16, 3, 224, 224});
  // The gradOutput, 16 x 1000, is not the network's.
  CHECK(nn::inspect(*network).totals.heldBytes == 5827500544);
}

TEST_CASE("estimating a large network takes next to no memory") {
  for (const auto strategy : nn::allWorkspaceStrategies()) {
    const auto before = residentBytes();
    const auto backend = dryBackend("cpu");
    const auto network = moduleOn(backend, vgg);
    network->setWorkspaceStrategy(strategy);
    train(*network, *backend, {256, 3, 224, 224});
    CHECK(ledger()->liveBytes() > std::int64_t{20} << 30);
    CHECK(residentBytes() - before < 20'000'000);
  }
}

TEST_CASE("a network of terabytes can be estimated") {
  const auto backend = dryBackend("cpu");
  const auto network = moduleOn(backend, "nn.Linear(1048576,1048576); nn.Linear(1048576,1048576)");
  train(*network, *backend, {1048576, 1048576});
  CHECK(ledger()->liveBytes() > std::int64_t{30} << 40);
}

}  // namespace torchette::testing

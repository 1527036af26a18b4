// Recording an inference on the dry backend.
#include "tests/layers/planned_network.h"

#include "backends/dry/dry_backend.h"
#include "backends/dry/dry_device.h"
#include "backends/dry/recording_device.h"
#include "backends/dry/storage_lifetimes.h"
#include "layers/models/model.h"
#include "runtime/allocators.h"
#include "tests/layers/layer_support.h"

namespace torchette::testing {

std::unique_ptr<nn::Module> networkOf(const PlannedCase& planned,
                                      const std::shared_ptr<Backend>& backend) {
  auto network = nn::makeModel(planned.model, contextOn(backend)).network;
  if (planned.strategy) network->setWorkspaceStrategy(*planned.strategy);
  network->evaluate();
  return network;
}

nn::ArenaPlan planOf(const PlannedCase& planned, std::string_view backendName, int lanes) {
  const auto lifetimes = std::make_shared<StorageLifetimes>();
  const auto device = std::make_shared<RecordingDevice>(std::make_shared<DryDevice>(), lifetimes);
  const auto allocator =
      std::make_shared<LifetimeAllocator>(std::make_shared<DeviceAllocator>(device), lifetimes);
  const auto backend = makeDryBackend(allocator, profileOf(backendName, lanes), lifetimes);
  const auto network = networkOf(planned, backend);
  Tensor input(allocator, "input");
  input.resize(planned.input);
  input.zero();
  lifetimes->start();
  network->forward(input);
  return nn::planInference(*network, lifetimes->lifetimes());
}

const Storage* arenaOf(nn::Module& network) {
  const Storage* arena = nullptr;
  network.forEachModule([&arena](nn::Module& module) {
    module.visitTensors([&arena](std::string_view, nn::Role, Tensor& tensor) {
      const auto& root = tensor.storage()->root();
      if (&root != tensor.storage().get()) arena = &root;
    });
  });
  return arena;
}

std::vector<PlannedCase> plannedCases() {
  const std::vector<PlannedCase> bases = {
      {"lenet", {3, 1, 28, 28}},
      {"autoencoder", {3, 1, 28, 28}},
      {"nn.SpatialConvolution(3,4,3,3,1,1,1,1); nn.SpatialBatchNormalization(4); nn.ReLU(true);"
       "nn.SpatialMaxPooling(2,2); nn.Dropout(0.5); nn.SpatialFullConvolution(4,2,2,2,2,2);"
       "nn.Dropout(0.5,true,true); nn.View(128):setNumInputDims(3); nn.Linear(128,5);"
       "nn.LogSoftMax()",
       {3, 3, 8, 8}},
      {"nn.SpatialConvolution(3,4,3,3,1,1,1,1);"
       "nn.ConcatTable():add(nn.Sequential():add(nn.SpatialConvolution(4,4,3,3,1,1,1,1))"
       ":add(nn.ReLU(true)):add(nn.SpatialConvolution(4,4,3,3,1,1,1,1))):add(nn.Identity());"
       "nn.CAddTable(); nn.ReLU(true); nn.SpatialAveragePooling(2,2,2,2); nn.View(-1,64)",
       {3, 3, 8, 8}},
      {"nn.ConcatTable():add(nn.Linear(4,6)):add(nn.Linear(4,6)); nn.CAddTable(true);"
       "nn.ConcatTable():add(nn.Tanh()):add(nn.Sigmoid())",
       {5, 4}},
      {"nn.View(-1,12); nn.Linear(12,7); nn.SoftMax()", {5, 3, 2, 2}},
  };
  std::vector<PlannedCase> cases;
  for (const auto& base : bases) {
    for (const auto strategy : nn::allWorkspaceStrategies()) {
      cases.push_back({base.model, base.input, strategy});
    }
  }
  return cases;
}

}  // namespace torchette::testing

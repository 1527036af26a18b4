// Recording an inference that takes no memory.
#include "examples/cli/planning_run.h"

#include "backends/dry/dry_backend.h"
#include "backends/dry/dry_device.h"
#include "backends/dry/recording_device.h"
#include "backends/dry/storage_lifetimes.h"

namespace torchette::cli {

nn::ArenaPlan planFor(const InspectionOptions& options) {
  const auto lifetimes = std::make_shared<StorageLifetimes>();
  const auto device = std::make_shared<RecordingDevice>(std::make_shared<DryDevice>(), lifetimes);
  const auto allocator =
      std::make_shared<LifetimeAllocator>(std::make_shared<DeviceAllocator>(device), lifetimes);
  const nn::Context context{makeDryBackend(
      allocator, profileOf(options.machine.backend, options.machine.threads), lifetimes)};
  const auto model = makeInspectedModel(options, context);
  const nn::Activity input(makeRandomInput(context, inputShape(options, model)));
  model.network->evaluate();
  lifetimes->start();
  model.network->forward(input);
  return nn::planInference(*model.network, lifetimes->lifetimes());
}

}  // namespace torchette::cli

// The smallest program worth copying: builds one layer, runs it, and lists what its tensors hold.
#include <iostream>

#include "backends/cpu/cpu_backend.h"
#include "layers/inspection.h"
#include "layers/spatial_convolution.h"
#include "runtime/allocators.h"
#include "runtime/host_device.h"

using namespace torchette;

int main() {
  // Main memory, with a ledger that sees every allocation.
  auto ledger = std::make_shared<Ledger>();
  auto device = std::make_shared<DeviceAllocator>(std::make_shared<HostDevice>());
  auto allocator = std::make_shared<TrackingAllocator>(device, ledger);
  const nn::Context context{std::make_shared<CpuBackend>(allocator)};

  // 3 -> 4 planes, 4x4 kernel, stride 2, padding 1, on a batch of 16 images of 32x32.
  auto layer = nn::build<nn::SpatialConvolution>("conv", context, 3, 4, 4, 4, 2, 2, 1, 1);
  Tensor input(allocator, "input");
  input.resize({16, 3, 32, 32});
  input.zero();
  const Tensor output = layer->forward(input).tensor();
  layer->backward(input, output);

  std::cout << layer->path() << ": " << layer->description() << '\n';
  const nn::Inspection inspection = nn::inspect(*layer);
  for (const auto& field : inspection.modules.front().fields) {
    std::cout << "  " << field.field << " : " << field.shape.toString() << ", " << field.bytes
              << " bytes\n";
  }
  std::cout << "live " << ledger->liveBytes() << " bytes, peak " << ledger->peakBytes() << '\n';
}

// Times forward and backward of convolutions on the first CUDA device, by CUDA events, for every
// workspace strategy. Prints a table.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "backends/cuda/cuda_backend.h"
#include "bench/convolution_shapes.h"
#include "runtime/allocators.h"

namespace torchette::bench {

namespace {

constexpr int rounds = 5;
constexpr int passesPerRound = 5;

/// A CUDA backend whose ledger holds what the layer of one row needs.
struct Gpu {
  std::shared_ptr<Ledger> ledger = std::make_shared<Ledger>();
  std::shared_ptr<Backend> backend = makeCudaBackend(std::make_shared<TrackingAllocator>(
      std::make_shared<DeviceAllocator>(makeCudaDevice()), ledger));
};

Tensor filledTensor(Backend& backend, const Shape& shape) {
  Tensor tensor(backend.allocator(), "input");
  tensor.resize(shape);
  backend.fill(tensor.elements(), 0.5F, tensor.data<float>());
  return tensor;
}

/// Milliseconds of one pass: the median of rounds, after a round that is not counted.
template <class Pass>
double measure(Device& device, const Pass& pass) {
  const auto round = [&] {
    for (int i = 0; i < passesPerRound; ++i) pass();
  };
  cudaMilliseconds(device, round);
  std::array<double, rounds> times;
  for (auto& time : times) time = cudaMilliseconds(device, round) / passesPerRound;
  std::ranges::nth_element(times, times.begin() + rounds / 2);
  return times[rounds / 2];
}

void printRow(const Gpu& gpu, const ConvolutionShape& shape, nn::WorkspaceStrategy strategy) {
  auto& device = gpu.backend->device();
  const auto liveBytesBefore = gpu.ledger->liveBytes();
  gpu.ledger->resetPeak();
  const auto layer = shape.makeLayer({gpu.backend});
  layer->setWorkspaceStrategy(strategy);
  const auto input = filledTensor(*gpu.backend, shape.inputShape());
  const auto gradOutput = filledTensor(*gpu.backend, layer->forward(input).tensor().shape());
  const auto forward = measure(device, [&] { layer->forward(input); });
  const auto backward = measure(device, [&] { layer->backward(input, gradOutput); });
  const auto workspaceBytes =
      layer->finput.storage()->bytes() + layer->fgradInput.storage()->bytes();
  std::printf("%-14s %-8s %10.3f %10.3f %14lld %14lld\n", shape.name.c_str(),
              std::string(nn::nameOf(strategy)).c_str(), forward, backward,
              static_cast<long long>(workspaceBytes),
              static_cast<long long>(gpu.ledger->peakBytes() - liveBytesBefore));
}

void printTable() {
  const Gpu gpu;
  std::printf("%s, median of %d rounds of %d passes\n", cudaStatus().summary.c_str(), rounds,
              passesPerRound);
  std::printf("%-14s %-8s %10s %10s %14s %14s\n", "shape", "strategy", "forward ms", "backward ms",
              "workspace", "peak bytes");
  for (const auto& shape : convolutionShapes()) {
    for (const auto strategy : nn::allWorkspaceStrategies()) printRow(gpu, shape, strategy);
  }
}

}  // namespace

}  // namespace torchette::bench

int main() {
  try {
    torchette::bench::printTable();
  } catch (const torchette::Error& error) {
    std::fprintf(stderr, "bench_gpu_strategies: %s\n", error.what());
    return 1;
  }
  return 0;
}

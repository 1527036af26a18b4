// Making CUDA streams, events and pools.
#include "backends/cuda/cuda_handles.h"

#include <cstdint>
#include <limits>

#include "backends/cuda/cuda_errors.h"

namespace torchette::cuda {

Stream makeStream() {
  cudaStream_t stream = nullptr;
  require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "start",
          "cudaStreamCreateWithFlags");
  return Stream(stream);
}

namespace {

Event makeEventWith(unsigned flags) {
  cudaEvent_t event = nullptr;
  require(cudaEventCreateWithFlags(&event, flags), "start", "cudaEventCreateWithFlags");
  return Event(event);
}

}  // namespace

Event makeEvent() { return makeEventWith(cudaEventDisableTiming); }

Event makeTimingEvent() { return makeEventWith(cudaEventDefault); }

Pool makePool() {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t created = nullptr;
  require(cudaMemPoolCreate(&created, &properties), "start", "cudaMemPoolCreate");
  Pool pool(created);
  auto keptBytes = std::numeric_limits<std::uint64_t>::max();
  require(cudaMemPoolSetAttribute(created, cudaMemPoolAttrReleaseThreshold, &keptBytes), "start",
          "cudaMemPoolSetAttribute");
  return pool;
}

}  // namespace torchette::cuda

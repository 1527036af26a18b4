// Spreading work over streams, and bringing it back together.
#include "backends/cuda/cuda_lanes.h"

#include <algorithm>

#include "backends/cuda/cuda_errors.h"

namespace torchette::cuda {

CudaLanes::CudaLanes(CudaDevice& device, int count)
    : device_(device), lanes_(static_cast<std::size_t>(count - 1)) {}

cudaStream_t CudaLanes::stream(int lane) const {
  return lane == 0 ? device_.mainStream() : lanes_[lane - 1].stream.get();
}

void CudaLanes::switchTo(int lane) {
  current_ = lane;
  device_.setCurrentStream(stream(lane));
}

void CudaLanes::forEach(std::int64_t count,
                        const std::function<void(std::int64_t item, int lane)>& body) {
  if (isInForEach_) {
    for (std::int64_t item = 0; item < count; ++item) body(item, current_);
    return;
  }
  const int used = static_cast<int>(std::min<std::int64_t>(count, this->count()));
  fork(used);
  isInForEach_ = true;
  try {
    for (std::int64_t item = 0; item < count; ++item) {
      switchTo(static_cast<int>(item % used));
      body(item, current_);
    }
  } catch (...) {
    join(used);
    throw;
  }
  require(join(used), "forEach", "cudaStreamWaitEvent");
}

/// Lanes [1, used) wait for the main stream.
void CudaLanes::fork(int used) {
  if (used <= 1) return;
  require(cudaEventRecord(isForked_.get(), device_.mainStream()), "forEach", "cudaEventRecord");
  for (int lane = 1; lane < used; ++lane) {
    require(cudaStreamWaitEvent(stream(lane), isForked_.get(), 0), "forEach",
            "cudaStreamWaitEvent");
  }
}

/// The main stream waits for lanes [1, used) and is current again. Returns the first failure.
cudaError_t CudaLanes::join(int used) noexcept {
  isInForEach_ = false;
  switchTo(0);
  cudaError_t failure = cudaSuccess;
  for (int lane = 1; lane < used; ++lane) {
    const cudaEvent_t isDone = lanes_[lane - 1].isDone.get();
    cudaError_t status = cudaEventRecord(isDone, stream(lane));
    if (status == cudaSuccess) status = cudaStreamWaitEvent(device_.mainStream(), isDone, 0);
    if (failure == cudaSuccess) failure = status;
  }
  return failure;
}

}  // namespace torchette::cuda

// Timing work on the GPU by events before and after it.
#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/cuda_device.h"
#include "backends/cuda/cuda_errors.h"

namespace torchette {

double cudaMilliseconds(Device& device, const std::function<void()>& issue) {
  const cudaStream_t stream = cuda::requireCudaDevice(device).mainStream();
  const auto begin = cuda::makeTimingEvent(), end = cuda::makeTimingEvent();
  cuda::require(cudaEventRecord(begin.get(), stream), "time", "cudaEventRecord");
  issue();
  cuda::require(cudaEventRecord(end.get(), stream), "time", "cudaEventRecord");
  cuda::require(cudaEventSynchronize(end.get()), "time", "cudaEventSynchronize");
  float milliseconds = 0;
  cuda::require(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "time",
                "cudaEventElapsedTime");
  return milliseconds;
}

}  // namespace torchette

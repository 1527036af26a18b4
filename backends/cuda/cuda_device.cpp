// Allocating, copying and clearing a GPU's memory.
#include "backends/cuda/cuda_device.h"

#include <new>
#include <string>
#include <utility>

#include "backends/cuda/cuda_context.h"
#include "backends/cuda/cuda_errors.h"
#include "backends/cuda/strided_copy.h"

namespace torchette {

namespace cuda {

namespace {

Stream makeMainStream() {
  requireContext();
  return makeStream();
}

std::size_t toSize(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

}  // namespace

CudaDevice::CudaDevice(const CudaDeviceOptions& options)
    : mainStream_(makeMainStream()),
      currentStream_(mainStream_.get()),
      pool_(options.usesPool ? makePool() : nullptr) {}

void* CudaDevice::allocate(std::int64_t bytes) {
  throwFailedFree();
  void* data = nullptr;
  const auto status =
      pool_ ? cudaMallocFromPoolAsync(&data, toSize(bytes), pool_.get(), currentStream_)
            : cudaMalloc(&data, toSize(bytes));
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw std::bad_alloc();
  }
  require(status, "allocate", pool_ ? "cudaMallocFromPoolAsync" : "cudaMalloc");
  return data;
}

void CudaDevice::free(void* data, std::int64_t /*bytes*/) noexcept {
  const auto status = tryToFree(data);
  if (status == cudaSuccess) return;
  cudaGetLastError();
  if (failedFree_ == cudaSuccess) failedFree_ = status;
}

/// Plain memory is free for others at once, so that work on it must have finished; pool memory is
/// free for work that is issued from here on.
cudaError_t CudaDevice::tryToFree(void* data) const noexcept {
  if (pool_) return cudaFreeAsync(data, currentStream_);
  const auto status = cudaStreamSynchronize(currentStream_);
  const auto freeStatus = cudaFree(data);
  return status == cudaSuccess ? freeStatus : status;
}

void CudaDevice::throwFailedFree() {
  require(std::exchange(failedFree_, cudaSuccess), "free", pool_ ? "cudaFreeAsync" : "cudaFree");
}

void CudaDevice::zero(void* destination, std::int64_t bytes) {
  if (bytes == 0) return;
  require(cudaMemsetAsync(destination, 0, toSize(bytes), currentStream_), "zero",
          "cudaMemsetAsync");
}

void CudaDevice::copy(void* destination, const void* source, std::int64_t bytes) {
  if (bytes == 0) return;
  require(
      cudaMemcpyAsync(destination, source, toSize(bytes), cudaMemcpyDeviceToDevice, currentStream_),
      "copy", "cudaMemcpyAsync");
}

void CudaDevice::copyStrided(const StridedCopy& copy) {
  launchStridedCopy(planStridedCopy(copy), currentStream_);
}

void CudaDevice::copyFromHost(void* destination, const void* hostSource, std::int64_t bytes) {
  copyAndWait(destination, hostSource, bytes, "copyFromHost", cudaMemcpyHostToDevice);
}

void CudaDevice::copyToHost(void* hostDestination, const void* source, std::int64_t bytes) {
  copyAndWait(hostDestination, source, bytes, "copyToHost", cudaMemcpyDeviceToHost);
}

void CudaDevice::copyAndWait(void* destination, const void* source, std::int64_t bytes,
                             std::string_view operation, cudaMemcpyKind kind) {
  if (bytes == 0) return;
  require(cudaMemcpyAsync(destination, source, toSize(bytes), kind, currentStream_), operation,
          "cudaMemcpyAsync");
  require(cudaStreamSynchronize(currentStream_), operation, "cudaStreamSynchronize");
}

void CudaDevice::synchronize() {
  require(cudaDeviceSynchronize(), "synchronize", "cudaDeviceSynchronize");
  throwFailedFree();
}

CudaDevice& requireCudaDevice(Device& device) {
  if (auto* cudaDevice = dynamic_cast<CudaDevice*>(&device)) return *cudaDevice;
  throw ArgumentError(errorPlace, "the memory is of the device " + std::string(device.name()) +
                                      ", that of a CUDA device is expected; see makeCudaDevice()");
}

}  // namespace cuda

std::shared_ptr<Device> makeCudaDevice(const CudaDeviceOptions& options) {
  return std::make_shared<cuda::CudaDevice>(options);
}

}  // namespace torchette

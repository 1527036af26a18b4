// CudaDevice: the first GPU's memory.
#pragma once

#include <cuda_runtime_api.h>

#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/cuda_handles.h"
#include "runtime/device.h"

namespace torchette::cuda {

/// Copies, zeroing and the operations of backends over this device are issued to one current
/// stream, and so run in order. Copies from and to the host return when they are done, all others
/// may return before.
class CudaDevice final : public Device {
 public:
  /// Creates the context; throws as makeCudaDevice().
  explicit CudaDevice(const CudaDeviceOptions& options);
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  std::string_view name() const override { return "cuda"; }
  bool isHostAccessible() const override { return false; }

  void* allocate(std::int64_t bytes) override;
  /// A failure is thrown by the next allocate() or synchronize().
  void free(void* data, std::int64_t bytes) noexcept override;

  void zero(void* destination, std::int64_t bytes) override;
  void copy(void* destination, const void* source, std::int64_t bytes) override;
  void copyStrided(const StridedCopy& copy) override;
  void copyFromHost(void* destination, const void* hostSource, std::int64_t bytes) override;
  void copyToHost(void* hostDestination, const void* source, std::int64_t bytes) override;
  void synchronize() override;

  cudaStream_t mainStream() const { return mainStream_.get(); }
  /// Where work is issued now; the main stream unless told otherwise.
  cudaStream_t currentStream() const { return currentStream_; }
  void setCurrentStream(cudaStream_t stream) { currentStream_ = stream; }

 private:
  cudaError_t tryToFree(void* data) const noexcept;
  void throwFailedFree();
  void copyAndWait(void* destination, const void* source, std::int64_t bytes,
                   std::string_view operation, cudaMemcpyKind kind);

  Stream mainStream_;
  cudaStream_t currentStream_;
  Pool pool_;  ///< null unless the options ask for one
  cudaError_t failedFree_ = cudaSuccess;
};

/// The device as what it is; throws ArgumentError if it is another.
CudaDevice& requireCudaDevice(Device& device);

}  // namespace torchette::cuda

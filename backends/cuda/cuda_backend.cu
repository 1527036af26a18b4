// The CUDA backend: the operations of KernelBackend over streams and cuBLAS.
#include "backends/cuda/cuda_backend.h"

#include <string>

#include "backends/cuda/cublas_products.h"
#include "backends/cuda/cuda_context.h"
#include "backends/cuda/cuda_device.h"
#include "backends/cuda/cuda_lanes.h"
#include "backends/cuda/grid_launch.cuh"
#include "backends/kernel_backend.h"

namespace torchette {

namespace cuda {

namespace {

int lanesOf(const CudaBackendOptions& options) {
  if (options.lanes < 0 || options.workspaceBytes < 0) {
    throw ArgumentError(errorPlace, std::to_string(options.lanes) + " lanes with a workspace of " +
                                        std::to_string(options.workspaceBytes) +
                                        " bytes each, neither may be negative");
  }
  return options.lanes == 0 ? CudaBackendOptions::defaultLanes : options.lanes;
}

/// See KernelLauncher.
class CudaLauncher {
 public:
  CudaLauncher(const std::shared_ptr<Allocator>& allocator, const CudaBackendOptions& options)
      : lanes_(requireCudaDevice(allocator->device()), lanesOf(options)),
        products_(lanes_, allocator, options) {}

  std::string_view name() const { return "cuda"; }
  int lanes() const { return lanes_.count(); }
  int currentLane() const { return lanes_.current(); }
  void forEach(std::int64_t count, const std::function<void(std::int64_t item, int lane)>& body) {
    lanes_.forEach(count, body);
  }
  template <class Kernel>
  void launch(const KernelGrid& grid, const Kernel& kernel) {
    launchOnGrid(lanes_.stream(lanes_.current()), grid, kernel);
  }
  void gemm(const ColumnMajorGemm& call) { products_.multiply(call); }

 private:
  CudaLanes lanes_;
  CublasProducts products_;
};

}  // namespace

}  // namespace cuda

std::shared_ptr<Backend> makeCudaBackend(std::shared_ptr<Allocator> allocator,
                                         const CudaBackendOptions& options) {
  cuda::requireContext();
  return std::make_shared<KernelBackend<cuda::CudaLauncher>>(allocator, allocator, options);
}

}  // namespace torchette

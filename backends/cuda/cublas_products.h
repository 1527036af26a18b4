// CublasProducts: matrix products, with a handle and a workspace for each lane.
#pragma once

#include <cublas_v2.h>

#include <memory>
#include <type_traits>
#include <vector>

#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/cuda_lanes.h"
#include "backends/gemm_call.h"
#include "runtime/buffer.h"

namespace torchette::cuda {

/// Results are the same bits at every run on the same kind of GPU: each handle has one stream and
/// the same workspace for its life.
class CublasProducts {
 public:
  /// `lanes` must outlive the object. Throws as makeCudaBackend().
  CublasProducts(const CudaLanes& lanes, const std::shared_ptr<Allocator>& allocator,
                 const CudaBackendOptions& options);

  /// Issues the product to the current lane; m, n and k at least 1.
  void multiply(const ColumnMajorGemm& call);

 private:
  struct DestroyHandle {
    void operator()(cublasHandle_t handle) const noexcept;
  };
  using Handle = std::unique_ptr<std::remove_pointer_t<cublasHandle_t>, DestroyHandle>;
  struct Lane {
    Buffer workspace;
    Handle handle;
  };

  static Lane makeLane(cudaStream_t stream, const std::shared_ptr<Allocator>& allocator,
                       const CudaBackendOptions& options);

  const CudaLanes& lanes_;
  std::vector<Lane> products_;  ///< by lane
};

}  // namespace torchette::cuda

// Setting up and calling cuBLAS.
#include "backends/cuda/cublas_products.h"

#include <utility>

#include "backends/cuda/cublas_library.h"
#include "backends/cuda/cuda_errors.h"

namespace torchette::cuda {

namespace {

cublasOperation_t toCublas(bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; }

}  // namespace

void CublasProducts::DestroyHandle::operator()(cublasHandle_t handle) const noexcept {
  cublas().destroy(handle);
}

CublasProducts::CublasProducts(const CudaLanes& lanes, const std::shared_ptr<Allocator>& allocator,
                               const CudaBackendOptions& options)
    : lanes_(lanes) {
  for (int lane = 0; lane < lanes.count(); ++lane) {
    products_.push_back(makeLane(lanes.stream(lane), allocator, options));
  }
}

CublasProducts::Lane CublasProducts::makeLane(cudaStream_t stream,
                                              const std::shared_ptr<Allocator>& allocator,
                                              const CudaBackendOptions& options) {
  Lane lane{Buffer(allocator, options.workspaceBytes, {"backend/cublas", "workspace"}), nullptr};
  cublasHandle_t handle = nullptr;
  require(cublas().create(&handle), "start", "cublasCreate");
  lane.handle.reset(handle);
  require(cublas().setMathMode(
              handle, options.allowsTf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH),
          "start", "cublasSetMathMode");
  require(cublas().setStream(handle, stream), "start", "cublasSetStream");
  if (options.workspaceBytes > 0) {
    // After the stream: choosing a stream puts cuBLAS's own workspace back.
    require(cublas().setWorkspace(handle, lane.workspace.data(),
                                  static_cast<std::size_t>(options.workspaceBytes)),
            "start", "cublasSetWorkspace");
  }
  return lane;
}

void CublasProducts::multiply(const ColumnMajorGemm& call) {
  require(cublas().sgemm(products_[lanes_.current()].handle.get(), toCublas(call.transposeA),
                         toCublas(call.transposeB), call.m, call.n, call.k, &call.alpha, call.a,
                         call.lda, call.b, call.ldb, &call.beta, call.c, call.ldc),
          "gemm", "cublasSgemm");
}

}  // namespace torchette::cuda

// The way in to the CUDA backend. Free of CUDA headers, and there even where CUDA was not built.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "backends/backend.h"
#include "backends/cuda/cuda_status.h"
#include "runtime/errors.h"

namespace torchette {

/// A CUDA or cuBLAS call failed. The message names the operation, the call and the code's name.
class CudaError : public Error {
 public:
  using Error::Error;
};

struct CudaDeviceOptions {
  /// Draws on a stream-ordered pool, which keeps freed bytes for later allocations and never gives
  /// them back to the card while the device lives. Otherwise each allocation is a cudaMalloc.
  bool usesPool = false;
};

struct CudaBackendOptions {
  static constexpr int defaultLanes = 4;
  static constexpr std::int64_t defaultWorkspaceBytes = std::int64_t{4} << 20;

  int lanes = 0;  ///< streams; 0: defaultLanes
  /// cuBLAS's own scratch for each lane, from the backend's allocator as owner "backend/cublas",
  /// field "workspace". With 0, cuBLAS allocates what it likes behind the allocator's back.
  std::int64_t workspaceBytes = defaultWorkspaceBytes;
  /// Lets products round their operands to TF32: faster, with relative errors of about 1e-3 instead
  /// of 1e-6.
  bool allowsTf32 = false;
};

/// Whether the first CUDA device and cuBLAS, which is then loaded, can be used. Creates no context
/// and never throws.
CudaStatus cudaStatus();

/// The memory of the first CUDA device (CUDA_VISIBLE_DEVICES says which that is). Creates the
/// context. Throws StateError, with cudaStatus()'s reason, unless the device can be used.
std::shared_ptr<Device> makeCudaDevice(const CudaDeviceOptions& options = {});

/// A backend over memory of makeCudaDevice(). Throws StateError as that does, ArgumentError for an
/// allocator of another device, negative lanes or bytes, and MemoryError where the workspaces do
/// not fit. Its operations return before the GPU has finished them unless they return a value. Not
/// for several threads at once.
std::shared_ptr<Backend> makeCudaBackend(std::shared_ptr<Allocator> allocator,
                                         const CudaBackendOptions& options = {});

/// Bytes of the first device's memory in use by all programs, as its driver counts them; empty
/// where the driver's management library (libnvidia-ml) does not tell. Creates no context.
std::optional<std::int64_t> cudaBytesInUse();

/// cudaBytesInUse() right before and right after makeCudaDevice() created this program's context,
/// which lives until the program ends. Empty if it did not, or the driver does not tell.
struct CudaContextMemory {
  std::optional<std::int64_t> bytesBefore, bytesAfter;
};
CudaContextMemory cudaContextMemory();

/// Milliseconds, by the GPU's clock, from the beginning to the end of the work that `issue` has
/// backends over the device do. Waits for the end. Throws ArgumentError unless the device is of
/// makeCudaDevice().
double cudaMilliseconds(Device& device, const std::function<void()>& issue);

}  // namespace torchette

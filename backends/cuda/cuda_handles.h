// Owners of CUDA streams, events and pools.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

namespace torchette::cuda {

/// Statuses are of no use here: a failure is reported again by whatever call comes next.
struct Destroy {
  void operator()(cudaStream_t stream) const noexcept { cudaStreamDestroy(stream); }
  void operator()(cudaEvent_t event) const noexcept { cudaEventDestroy(event); }
  void operator()(cudaMemPool_t pool) const noexcept { cudaMemPoolDestroy(pool); }
};

template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

using Stream = Owned<cudaStream_t>;
using Event = Owned<cudaEvent_t>;
using Pool = Owned<cudaMemPool_t>;

/// A stream that no work on the default stream waits for.
Stream makeStream();
/// An event that orders streams and measures no time.
Event makeEvent();
/// An event that measures time.
Event makeTimingEvent();
/// A pool of the first device's memory that keeps what is freed.
Pool makePool();

}  // namespace torchette::cuda

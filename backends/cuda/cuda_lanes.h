// CudaLanes: lanes as streams of one device.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "backends/cuda/cuda_device.h"

namespace torchette::cuda {

/// Lane 0 is the device's main stream. The other lanes wait for what was issued to it before a
/// forEach, and it waits for them after, so that outside forEach everything runs in order.
class CudaLanes {
 public:
  /// `device` must outlive the lanes; `count` >= 1.
  CudaLanes(CudaDevice& device, int count);
  CudaLanes(const CudaLanes&) = delete;
  CudaLanes& operator=(const CudaLanes&) = delete;

  int count() const { return static_cast<int>(lanes_.size()) + 1; }
  int current() const { return current_; }
  cudaStream_t stream(int lane) const;

  /// As Backend::forEach. Items are dealt out in turn; inside an item, all run on its lane.
  void forEach(std::int64_t count, const std::function<void(std::int64_t item, int lane)>& body);

 private:
  struct Lane {
    Stream stream = makeStream();
    Event isDone = makeEvent();
  };

  void switchTo(int lane);
  void fork(int used);
  cudaError_t join(int used) noexcept;

  CudaDevice& device_;
  std::vector<Lane> lanes_;  ///< all but lane 0
  Event isForked_ = makeEvent();
  int current_ = 0;
  bool isInForEach_ = false;
};

}  // namespace torchette::cuda

#include "backends/dry/recording_device.h"

#include <utility>

namespace torchette {

namespace {

/// From the first element to the last; no bytes if there is no element.
Access stridedAccess(const void* data, const StridedCopy& copy,
                     const std::vector<std::int64_t>& strides) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < copy.extents.size(); ++i) {
    if (copy.extents[i] == 0) return {};
    last += (copy.extents[i] - 1) * strides[i];
  }
  return {data, (last + 1) * copy.bytesPerElement};
}

/// Runs a copy; it is an operation if it moves bytes.
template <class Run>
void watchCopy(OperationObserver& observer, std::string_view name, std::vector<Access> reads,
               std::vector<Access> writes, const Run& run) {
  const bool isEmpty = reads.empty() ? writes.front().bytes == 0 : reads.front().bytes == 0;
  if (isEmpty) return run();
  observer.watch({name, std::move(reads), std::move(writes)}, run);
}

}  // namespace

RecordingDevice::RecordingDevice(std::shared_ptr<Device> inner,
                                 std::shared_ptr<OperationObserver> observer)
    : inner_(std::move(inner)), observer_(std::move(observer)) {}

void RecordingDevice::zero(void* destination, std::int64_t bytes) {
  watchCopy(*observer_, "zero", {}, {{destination, bytes}},
            [&] { inner_->zero(destination, bytes); });
}

void RecordingDevice::copy(void* destination, const void* source, std::int64_t bytes) {
  watchCopy(*observer_, "copy", {{source, bytes}}, {{destination, bytes}},
            [&] { inner_->copy(destination, source, bytes); });
}

void RecordingDevice::copyStrided(const StridedCopy& copy) {
  watchCopy(*observer_, "copyStrided", {stridedAccess(copy.source, copy, copy.sourceStrides)},
            {stridedAccess(copy.destination, copy, copy.destinationStrides)},
            [&] { inner_->copyStrided(copy); });
}

void RecordingDevice::copyFromHost(void* destination, const void* hostSource, std::int64_t bytes) {
  watchCopy(*observer_, "copyFromHost", {}, {{destination, bytes}},
            [&] { inner_->copyFromHost(destination, hostSource, bytes); });
}

void RecordingDevice::copyToHost(void* hostDestination, const void* source, std::int64_t bytes) {
  watchCopy(*observer_, "copyToHost", {{source, bytes}}, {},
            [&] { inner_->copyToHost(hostDestination, source, bytes); });
}

}  // namespace torchette

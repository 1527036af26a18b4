// Memory that knows when it may be touched.
#include "backends/simulated/simulated_device.h"

#include <algorithm>
#include <new>

#include "backends/simulated/pages.h"

namespace torchette {

namespace {

/// A quiet NaN in every float; far from any index as an int64.
void fillWithNan(void* data, std::int64_t bytes) {
  constexpr std::uint32_t nanBits = 0x7fc00000;
  std::fill_n(static_cast<std::uint32_t*>(data), bytes / std::int64_t{sizeof(nanBits)}, nanBits);
}

}  // namespace

SimulatedDevice::SimulatedDevice(const SimulatedDeviceOptions& options)
    : capacityBytes_(options.capacityBytes),
      arena_(options.strict ? std::make_unique<PageArena>() : nullptr) {}

void* SimulatedDevice::allocate(std::int64_t bytes) {
  const auto allocateFromArena = [&] {
    void* data = arena_->allocate(bytes);
    if (accesses_ == 0) arena_->open();
    fillWithNan(data, bytes);
    if (accesses_ == 0) arena_->close();
    return data;
  };
  const std::scoped_lock lock(mutex_);
  if (bytes > capacityBytes_ - allocatedBytes_) throw std::bad_alloc();
  void* data = arena_ ? allocateFromArena() : mapGuarded(bytes);
  allocatedBytes_ += bytes;
  return data;
}

void SimulatedDevice::free(void* data, std::int64_t bytes) noexcept {
  const std::scoped_lock lock(mutex_);
  arena_ ? arena_->free(data, bytes) : unmapGuarded(data, bytes);
  allocatedBytes_ -= bytes;
}

void SimulatedDevice::open() {
  if (!arena_) return;
  const std::scoped_lock lock(mutex_);
  if (accesses_++ == 0) arena_->open();
}

void SimulatedDevice::close() {
  if (!arena_) return;
  const std::scoped_lock lock(mutex_);
  if (--accesses_ == 0) arena_->close();
}

void SimulatedDevice::zero(void* destination, std::int64_t bytes) {
  const Access access(*this);
  host_.zero(destination, bytes);
}

void SimulatedDevice::copy(void* destination, const void* source, std::int64_t bytes) {
  const Access access(*this);
  host_.copy(destination, source, bytes);
}

void SimulatedDevice::copyStrided(const StridedCopy& copy) {
  const Access access(*this);
  host_.copyStrided(copy);
}

void SimulatedDevice::copyFromHost(void* destination, const void* hostSource, std::int64_t bytes) {
  copy(destination, hostSource, bytes);
}

void SimulatedDevice::copyToHost(void* hostDestination, const void* source, std::int64_t bytes) {
  copy(hostDestination, source, bytes);
}

}  // namespace torchette

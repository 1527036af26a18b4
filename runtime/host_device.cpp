// Allocating, copying and clearing main memory.
#include "runtime/host_device.h"

#include <cstring>

namespace torchette {

namespace {

constexpr std::size_t cacheLine = 64;

/// Copies the block below `dimension`; recursion ends at the innermost dimension.
void copyBlock(const StridedCopy& copy, std::size_t dimension, char* destination,
               const char* source) {
  const auto extent = copy.extents[dimension];
  const auto destinationStep = copy.destinationStrides[dimension] * copy.bytesPerElement;
  const auto sourceStep = copy.sourceStrides[dimension] * copy.bytesPerElement;
  const bool isInnermost = dimension + 1 == copy.extents.size();
  if (isInnermost && destinationStep == copy.bytesPerElement && sourceStep == destinationStep) {
    std::memcpy(destination, source, static_cast<std::size_t>(extent * copy.bytesPerElement));
    return;
  }
  for (std::int64_t i = 0; i < extent; ++i) {
    if (isInnermost) {
      std::memcpy(destination, source, static_cast<std::size_t>(copy.bytesPerElement));
    } else {
      copyBlock(copy, dimension + 1, destination, source);
    }
    destination += destinationStep;
    source += sourceStep;
  }
}

}  // namespace

HostDevice::HostDevice(std::pmr::memory_resource& resource) : resource_(resource) {}

void* HostDevice::allocate(std::int64_t bytes) {
  return resource_.allocate(static_cast<std::size_t>(bytes), cacheLine);
}

void HostDevice::free(void* data, std::int64_t bytes) noexcept {
  resource_.deallocate(data, static_cast<std::size_t>(bytes), cacheLine);
}

void HostDevice::zero(void* destination, std::int64_t bytes) {
  if (bytes > 0) std::memset(destination, 0, static_cast<std::size_t>(bytes));
}

void HostDevice::copy(void* destination, const void* source, std::int64_t bytes) {
  if (bytes > 0) std::memcpy(destination, source, static_cast<std::size_t>(bytes));
}

void HostDevice::copyStrided(const StridedCopy& copy) {
  if (copy.extents.empty()) return;
  copyBlock(copy, 0, static_cast<char*>(copy.destination), static_cast<const char*>(copy.source));
}

void HostDevice::copyFromHost(void* destination, const void* hostSource, std::int64_t bytes) {
  copy(destination, hostSource, bytes);
}

void HostDevice::copyToHost(void* hostDestination, const void* source, std::int64_t bytes) {
  copy(hostDestination, source, bytes);
}

}  // namespace torchette

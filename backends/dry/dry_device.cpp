#include "backends/dry/dry_device.h"

#include <cstring>
#include <iterator>
#include <new>

namespace torchette {

namespace {

constexpr std::uintptr_t alignment = 64;
constexpr std::uintptr_t gap = 4096;

}  // namespace

void* DryDevice::allocate(std::int64_t bytes) {
  const auto size = static_cast<Address>(bytes);
  if (size > endAddress - next_) throw std::bad_alloc();
  const Address address = next_;
  bytesByAddress_.emplace(address, bytes);
  next_ += (size + alignment - 1) / alignment * alignment + gap;
  // The number stands for memory that nobody touches.
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

void DryDevice::free(void* data, std::int64_t /*bytes*/) noexcept {
  bytesByAddress_.erase(reinterpret_cast<Address>(data));
}

void DryDevice::copyToHost(void* hostDestination, const void* /*source*/, std::int64_t bytes) {
  if (bytes > 0) std::memset(hostDestination, 0, static_cast<std::size_t>(bytes));
}

std::optional<DryAllocation> DryDevice::allocationAt(const void* address) const {
  const auto wanted = reinterpret_cast<Address>(address);
  const auto after = bytesByAddress_.upper_bound(wanted);
  if (after == bytesByAddress_.begin()) return std::nullopt;
  const auto& [start, bytes] = *std::prev(after);
  if (wanted - start >= static_cast<Address>(bytes)) return std::nullopt;
  return DryAllocation{reinterpret_cast<void*>(start), bytes};  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace torchette

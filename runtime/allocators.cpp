// Drawing on a device, and the decorators that track, limit and fail.
#include "runtime/allocators.h"

#include <algorithm>
#include <new>
#include <utility>

#include "runtime/errors.h"

namespace torchette {

namespace {

/// "finput of size 16x48x256 needs 786432 bytes"
std::string describeRequest(std::int64_t bytes, const AllocationTag& tag) {
  std::string text = tag.field;
  if (tag.shape.rank() > 0) text += " of size " + tag.shape.toString();
  return text + " needs " + std::to_string(bytes) + " bytes";
}

std::string describeLargestHolders(const Ledger& ledger) {
  constexpr std::size_t shown = 3;
  const auto holdings = ledger.liveHoldings();
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, holdings.size()); ++i) {
    const auto& [owner, field, bytes] = holdings[i];
    text += (i == 0 ? "" : ", ") + (owner.empty() ? field : owner + " " + field) + " " +
            std::to_string(bytes);
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace

DeviceAllocator::DeviceAllocator(std::shared_ptr<Device> device) : device_(std::move(device)) {}

void* DeviceAllocator::allocate(std::int64_t bytes, const AllocationTag& tag) {
  try {
    return device_->allocate(bytes);
  } catch (const std::bad_alloc&) {
    throw MemoryError(tag.owner,
                      describeRequest(bytes, tag) + ", which the device " +
                          std::string(device_->name()) +
                          " does not have; use a smaller batch or the workspace strategy "
                          "sample");
  }
}

void DeviceAllocator::deallocate(void* data, std::int64_t bytes) noexcept {
  device_->free(data, bytes);
}

ForwardingAllocator::ForwardingAllocator(std::shared_ptr<Allocator> upstream)
    : upstream_(std::move(upstream)) {}

void* ForwardingAllocator::allocate(std::int64_t bytes, const AllocationTag& tag) {
  return upstream_->allocate(bytes, tag);
}

void ForwardingAllocator::deallocate(void* data, std::int64_t bytes) noexcept {
  upstream_->deallocate(data, bytes);
}

TrackingAllocator::TrackingAllocator(std::shared_ptr<Allocator> upstream,
                                     std::shared_ptr<Ledger> ledger)
    : ForwardingAllocator(std::move(upstream)), ledger_(std::move(ledger)) {}

void* TrackingAllocator::allocate(std::int64_t bytes, const AllocationTag& tag) {
  void* data = ForwardingAllocator::allocate(bytes, tag);
  try {
    ledger_->recordAllocation(data, bytes, tag);
  } catch (...) {
    ForwardingAllocator::deallocate(data, bytes);
    throw;
  }
  return data;
}

void TrackingAllocator::deallocate(void* data, std::int64_t bytes) noexcept {
  ledger_->recordFree(data);
  ForwardingAllocator::deallocate(data, bytes);
}

LimitingAllocator::LimitingAllocator(std::shared_ptr<Allocator> upstream,
                                     std::shared_ptr<const Ledger> ledger, std::int64_t limitBytes)
    : ForwardingAllocator(std::move(upstream)),
      ledger_(std::move(ledger)),
      limitBytes_(limitBytes) {}

void* LimitingAllocator::allocate(std::int64_t bytes, const AllocationTag& tag) {
  const auto liveBytes = ledger_->liveBytes();
  if (bytes > limitBytes_ - liveBytes) {
    throw MemoryError(tag.owner, describeRequest(bytes, tag) + "; " + std::to_string(liveBytes) +
                                     " are live and the limit is " + std::to_string(limitBytes_) +
                                     "; largest holders: " + describeLargestHolders(*ledger_) +
                                     "; use a smaller batch or the workspace strategy sample, or "
                                     "raise the limit");
  }
  return ForwardingAllocator::allocate(bytes, tag);
}

void FailingAllocator::failAt(std::int64_t nth) {
  allocationsUntilFailure_ = nth;
  hasFailed_ = false;
}

void* FailingAllocator::allocate(std::int64_t bytes, const AllocationTag& tag) {
  if (allocationsUntilFailure_ > 0 && --allocationsUntilFailure_ == 0) {
    hasFailed_ = true;
    throw MemoryError(tag.owner, describeRequest(bytes, tag) + "; this allocation is made to fail");
  }
  return ForwardingAllocator::allocate(bytes, tag);
}

}  // namespace torchette

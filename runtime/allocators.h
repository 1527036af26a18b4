// The allocators at hand: one that draws on a device, and decorators that track, limit and fail.
// Stack them as needed, e.g. limiting over tracking over device.
#pragma once

#include "runtime/allocator.h"
#include "runtime/ledger.h"

namespace torchette {

/// Draws directly on a device, which it keeps alive.
class DeviceAllocator final : public Allocator {
 public:
  explicit DeviceAllocator(std::shared_ptr<Device> device);

  /// Throws MemoryError, with owner, field and shape, when the device has no more bytes.
  void* allocate(std::int64_t bytes, const AllocationTag& tag) override;
  void deallocate(void* data, std::int64_t bytes) noexcept override;
  Device& device() const override { return *device_; }

 private:
  std::shared_ptr<Device> device_;
};

/// Passes everything on to `upstream`; base of the decorators below.
class ForwardingAllocator : public Allocator {
 public:
  explicit ForwardingAllocator(std::shared_ptr<Allocator> upstream);

  void* allocate(std::int64_t bytes, const AllocationTag& tag) override;
  void deallocate(void* data, std::int64_t bytes) noexcept override;
  Device& device() const override { return upstream_->device(); }

 private:
  std::shared_ptr<Allocator> upstream_;
};

/// Writes every allocation and free into a ledger.
class TrackingAllocator final : public ForwardingAllocator {
 public:
  TrackingAllocator(std::shared_ptr<Allocator> upstream, std::shared_ptr<Ledger> ledger);

  void* allocate(std::int64_t bytes, const AllocationTag& tag) override;
  void deallocate(void* data, std::int64_t bytes) noexcept override;

 private:
  std::shared_ptr<Ledger> ledger_;
};

/// Refuses an allocation that would lift the ledger's live bytes past a limit. The MemoryError
/// names owner, field, shape, bytes asked, live and allowed, the three largest holders, and a way
/// out.
class LimitingAllocator final : public ForwardingAllocator {
 public:
  /// `ledger` is the one that a TrackingAllocator below writes; `limitBytes` >= 0.
  LimitingAllocator(std::shared_ptr<Allocator> upstream, std::shared_ptr<const Ledger> ledger,
                    std::int64_t limitBytes);

  void* allocate(std::int64_t bytes, const AllocationTag& tag) override;

 private:
  std::shared_ptr<const Ledger> ledger_;
  std::int64_t limitBytes_;
};

/// Fails one chosen allocation with a MemoryError; for testing that nothing is lost then.
class FailingAllocator final : public ForwardingAllocator {
 public:
  using ForwardingAllocator::ForwardingAllocator;

  /// The nth allocation from now fails, once; n >= 1.
  void failAt(std::int64_t nth);
  /// Whether the chosen allocation has been reached.
  bool hasFailed() const { return hasFailed_; }

  void* allocate(std::int64_t bytes, const AllocationTag& tag) override;

 private:
  std::int64_t allocationsUntilFailure_ = 0;
  bool hasFailed_ = false;
};

}  // namespace torchette

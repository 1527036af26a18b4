// DryDevice: a device whose addresses stand for memory that is not there.
#pragma once

#include <map>
#include <optional>

#include "runtime/device.h"

namespace torchette {

/// A range of addresses that DryDevice handed out.
struct DryAllocation {
  void* address = nullptr;
  std::int64_t bytes = 0;
};

/// Has about 2^62 bytes and takes none of the machine's. No address is handed out twice, and
/// between any two allocations lies a gap, so that each address belongs to one tensor for good.
/// Copies within and into the device do nothing; what is copied to the host is 0. For one thread.
class DryDevice final : public Device {
 public:
  std::string_view name() const override { return "dry"; }
  bool isHostAccessible() const override { return false; }

  void* allocate(std::int64_t bytes) override;
  void free(void* data, std::int64_t bytes) noexcept override;

  void zero(void* /*destination*/, std::int64_t /*bytes*/) override {}
  void copy(void* /*destination*/, const void* /*source*/, std::int64_t /*bytes*/) override {}
  void copyStrided(const StridedCopy& /*copy*/) override {}
  void copyFromHost(void* /*destination*/, const void* /*hostSource*/,
                    std::int64_t /*bytes*/) override {}
  void copyToHost(void* hostDestination, const void* source, std::int64_t bytes) override;
  void synchronize() override {}

  /// The live allocation that the address lies in.
  std::optional<DryAllocation> allocationAt(const void* address) const;

 private:
  using Address = std::uintptr_t;

  /// Where no process has memory: touching it is always a fault.
  static constexpr Address firstAddress = Address{1} << 60;
  static constexpr Address endAddress = Address{1} << 62;

  Address next_ = firstAddress;
  std::map<Address, std::int64_t> bytesByAddress_;
};

}  // namespace torchette

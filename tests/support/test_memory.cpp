// The ledger and the host allocator that all tests of a process share.
#include "tests/support/test_memory.h"

#include "runtime/host_device.h"

namespace torchette::testing {

std::shared_ptr<Ledger> ledger() {
  static const auto instance = std::make_shared<Ledger>();
  return instance;
}

std::shared_ptr<Allocator> hostAllocator() {
  static const auto instance = std::make_shared<TrackingAllocator>(
      std::make_shared<DeviceAllocator>(std::make_shared<HostDevice>()), ledger());
  return instance;
}

}  // namespace torchette::testing

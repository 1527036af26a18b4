// HostDevice: the machine's main memory, drawn from any std::pmr::memory_resource.
#pragma once

#include <memory_resource>

#include "runtime/device.h"

namespace torchette {

class HostDevice final : public Device {
 public:
  /// `resource` must outlive the device and everything allocated from it.
  explicit HostDevice(std::pmr::memory_resource& resource = *std::pmr::new_delete_resource());

  std::string_view name() const override { return "cpu"; }
  bool isHostAccessible() const override { return true; }

  void* allocate(std::int64_t bytes) override;
  void free(void* data, std::int64_t bytes) noexcept override;

  void zero(void* destination, std::int64_t bytes) override;
  void copy(void* destination, const void* source, std::int64_t bytes) override;
  void copyStrided(const StridedCopy& copy) override;
  void copyFromHost(void* destination, const void* hostSource, std::int64_t bytes) override;
  void copyToHost(void* hostDestination, const void* source, std::int64_t bytes) override;
  void synchronize() override {}

 private:
  std::pmr::memory_resource& resource_;
};

}  // namespace torchette

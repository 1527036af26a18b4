// RecordingDevice: tells an observer what each copy of a device reads and writes.
#pragma once

#include <memory>

#include "backends/operation_observer.h"
#include "runtime/device.h"

namespace torchette {

/// Hands everything on to another device. Copies that move bytes within the device, into it or out
/// of it are operations; allocations and frees are not.
class RecordingDevice final : public Device {
 public:
  RecordingDevice(std::shared_ptr<Device> inner, std::shared_ptr<OperationObserver> observer);

  std::string_view name() const override { return inner_->name(); }
  bool isHostAccessible() const override { return inner_->isHostAccessible(); }

  void* allocate(std::int64_t bytes) override { return inner_->allocate(bytes); }
  void free(void* data, std::int64_t bytes) noexcept override { inner_->free(data, bytes); }

  void zero(void* destination, std::int64_t bytes) override;
  void copy(void* destination, const void* source, std::int64_t bytes) override;
  void copyStrided(const StridedCopy& copy) override;
  void copyFromHost(void* destination, const void* hostSource, std::int64_t bytes) override;
  void copyToHost(void* hostDestination, const void* source, std::int64_t bytes) override;
  void synchronize() override { inner_->synchronize(); }

 private:
  std::shared_ptr<Device> inner_;
  std::shared_ptr<OperationObserver> observer_;
};

}  // namespace torchette

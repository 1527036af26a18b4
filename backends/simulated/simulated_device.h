// SimulatedDevice: memory apart from the host's, as a GPU's is, on any machine.
#pragma once

#include <memory>
#include <mutex>

#include "backends/simulated/page_arena.h"
#include "backends/simulated/simulated_options.h"
#include "runtime/host_device.h"

namespace torchette {

/// Without the strict option, each allocation has pages of its own and an inaccessible page behind
/// them, so that overruns are caught. With it, fresh memory holds NaN, and all memory is closed but
/// while an Access lives, so that uses by the host without a copy are caught.
class SimulatedDevice final : public Device {
 public:
  /// Opens the memory of a device, as operations do; accesses may overlap.
  class Access {
   public:
    explicit Access(SimulatedDevice& device) : device_(device) { device_.open(); }
    ~Access() { device_.close(); }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

   private:
    SimulatedDevice& device_;
  };

  explicit SimulatedDevice(const SimulatedDeviceOptions& options = {});

  std::string_view name() const override { return "simulated"; }
  bool isHostAccessible() const override { return false; }

  /// Throws std::bad_alloc past the capacity.
  void* allocate(std::int64_t bytes) override;
  void free(void* data, std::int64_t bytes) noexcept override;

  void zero(void* destination, std::int64_t bytes) override;
  void copy(void* destination, const void* source, std::int64_t bytes) override;
  void copyStrided(const StridedCopy& copy) override;
  void copyFromHost(void* destination, const void* hostSource, std::int64_t bytes) override;
  void copyToHost(void* hostDestination, const void* source, std::int64_t bytes) override;
  void synchronize() override {}

 private:
  void open();
  void close();

  const std::int64_t capacityBytes_;
  const std::unique_ptr<PageArena> arena_;  ///< strict only
  HostDevice host_;                         ///< moves the bytes
  std::mutex mutex_;
  std::int64_t allocatedBytes_ = 0;
  int accesses_ = 0;
};

}  // namespace torchette

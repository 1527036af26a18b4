// Device: the memory half of a machine.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace torchette {

/// A copy between two strided arrays of the same extents. Strides are in elements and may be 0 in
/// the source (an expanded view).
struct StridedCopy {
  void* destination = nullptr;
  const void* source = nullptr;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> destinationStrides;
  std::vector<std::int64_t> sourceStrides;
  std::int64_t bytesPerElement = 0;
};

/// Allocates, frees and moves bytes; never computes. Pointers are the device's own: the host may
/// dereference them only where isHostAccessible().
class Device {
 public:
  virtual ~Device() = default;

  /// "cpu", "cuda", ...
  virtual std::string_view name() const = 0;
  virtual bool isHostAccessible() const = 0;

  /// At least `bytes` (> 0) bytes, aligned to 64, with unspecified content. Throws std::bad_alloc.
  virtual void* allocate(std::int64_t bytes) = 0;
  /// Takes back what allocate(bytes) gave.
  virtual void free(void* data, std::int64_t bytes) noexcept = 0;

  virtual void zero(void* destination, std::int64_t bytes) = 0;
  virtual void copy(void* destination, const void* source, std::int64_t bytes) = 0;
  virtual void copyStrided(const StridedCopy& copy) = 0;
  virtual void copyFromHost(void* destination, const void* hostSource, std::int64_t bytes) = 0;
  virtual void copyToHost(void* hostDestination, const void* source, std::int64_t bytes) = 0;

  /// Returns when all work issued before has finished.
  virtual void synchronize() = 0;
};

}  // namespace torchette

// Allocator: turns bytes and a tag into memory of one device. Decorators (allocators.h) stack on
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "runtime/device.h"
#include "runtime/shape.h"

namespace torchette {

/// Who asks for bytes, and for what.
struct AllocationTag {
  std::string owner;         ///< path of the module that asked, e.g. "net/conv1"
  std::string field;         ///< what it is for, e.g. "finput"
  Shape shape = {};          ///< the shape that made the storage grow; rank 0 if there is none
  std::int64_t storage = 0;  ///< number of the storage that grows; 0 if there is none
};

class Allocator {
 public:
  virtual ~Allocator() = default;

  /// `bytes` > 0. Throws MemoryError, or std::bad_alloc from the device underneath.
  virtual void* allocate(std::int64_t bytes, const AllocationTag& tag) = 0;
  /// Takes back what allocate(bytes, ...) gave.
  virtual void deallocate(void* data, std::int64_t bytes) noexcept = 0;

  virtual Device& device() const = 0;
};

}  // namespace torchette

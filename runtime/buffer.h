// Buffer: bytes owned by one allocation; never resized.
#pragma once

#include <memory>

#include "runtime/allocator.h"

namespace torchette {

/// Frees its bytes through the allocator that gave them. A default Buffer owns nothing.
class Buffer {
 public:
  Buffer() = default;
  /// Throws what the allocator throws. Zero bytes allocate nothing.
  Buffer(std::shared_ptr<Allocator> allocator, std::int64_t bytes, const AllocationTag& tag);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;

  void* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<Allocator> allocator_;
  void* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

}  // namespace torchette

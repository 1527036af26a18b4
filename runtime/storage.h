// Storage: a shared, growable run of elements. Tensors look at it.
#pragma once

#include <memory>
#include <string>

#include "runtime/buffer.h"
#include "runtime/dtype.h"

namespace torchette {

/// Grows on demand and never shrinks, as in Torch7, until release(). Growth keeps the content.
class Storage {
 public:
  /// An empty storage; its bytes will be attributed to the owner current when they are allocated,
  /// and to `field`.
  Storage(std::shared_ptr<Allocator> allocator, DType dtype, std::string field);
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  /// Makes room for `elements`; `shape` is what the room is for and only appears in messages. On
  /// failure throws MemoryError and is unchanged.
  void grow(std::int64_t elements, const Shape& shape);
  /// Frees all bytes. Tensors that still look here must be resized before their next use.
  void release();

  void* data() const { return buffer_.data(); }
  std::int64_t elements() const { return buffer_.bytes() / bytesPerElement(dtype_); }
  std::int64_t bytes() const { return buffer_.bytes(); }
  DType dtype() const { return dtype_; }
  const std::string& field() const { return field_; }
  const std::shared_ptr<Allocator>& allocator() const { return allocator_; }
  Device& device() const { return allocator_->device(); }
  /// Differs between any two storages of a process.
  std::int64_t number() const { return number_; }

 private:
  std::shared_ptr<Allocator> allocator_;
  DType dtype_;
  std::string field_;
  std::int64_t number_;
  Buffer buffer_;
};

}  // namespace torchette

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
  /// A slice: `bytes` bytes of `arena` from `offsetBytes` on, which it keeps alive. It never grows
  /// past them.
  Storage(std::shared_ptr<Storage> arena, std::int64_t offsetBytes, std::int64_t bytes, DType dtype,
          std::string field);
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  /// Makes room for `elements`; `shape` is what the room is for and only appears in messages. On
  /// failure throws MemoryError, or StateError for a slice that is too small, and is unchanged.
  void grow(std::int64_t elements, const Shape& shape);
  /// Frees all bytes; does nothing to a slice. Tensors that still look here must be resized before
  /// their next use.
  void release();

  void* data() const;
  std::int64_t elements() const { return bytes() / bytesPerElement(dtype_); }
  std::int64_t bytes() const { return arena_ ? sliceBytes_ : buffer_.bytes(); }
  DType dtype() const { return dtype_; }
  const std::string& field() const { return field_; }
  const std::shared_ptr<Allocator>& allocator() const { return allocator_; }
  Device& device() const { return allocator_->device(); }
  /// Differs between any two storages of a process.
  std::int64_t number() const { return number_; }
  /// The storage whose bytes these are: the arena of a slice, else this one.
  const Storage& root() const { return arena_ ? arena_->root() : *this; }

  /// Writers whose content others may rely on say so: raises version() and becomes lastWriter().
  void announceWrite(const std::string& writer);
  std::int64_t version() const { return version_; }
  /// Path of the module that announced a write last; "" if none did.
  const std::string& lastWriter() const { return lastWriter_; }

 private:
  std::shared_ptr<Allocator> allocator_;
  DType dtype_;
  std::string field_;
  std::int64_t number_;
  Buffer buffer_;
  std::shared_ptr<Storage> arena_;  ///< of a slice
  std::int64_t sliceOffsetBytes_ = 0, sliceBytes_ = 0;
  std::int64_t version_ = 0;
  std::string lastWriter_;
};

}  // namespace torchette

// A buffer frees what it allocated, once.
#include "runtime/buffer.h"

#include <utility>

namespace torchette {

Buffer::Buffer(std::shared_ptr<Allocator> allocator, std::int64_t bytes, const AllocationTag& tag)
    : allocator_(std::move(allocator)),
      data_(bytes > 0 ? allocator_->allocate(bytes, tag) : nullptr),
      bytes_(bytes) {}

Buffer::~Buffer() {
  if (data_ != nullptr) allocator_->deallocate(data_, bytes_);
}

Buffer::Buffer(Buffer&& other) noexcept
    : allocator_(std::move(other.allocator_)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(allocator_, other.allocator_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace torchette

// Growing a storage without losing its content.
#include "runtime/storage.h"

#include <atomic>

#include "runtime/errors.h"
#include "runtime/owner_scope.h"

namespace torchette {

namespace {

std::int64_t nextNumber() {
  static std::atomic<std::int64_t> last = 0;
  return ++last;
}

}  // namespace

Storage::Storage(std::shared_ptr<Allocator> allocator, DType dtype, std::string field)
    : allocator_(std::move(allocator)),
      dtype_(dtype),
      field_(std::move(field)),
      number_(nextNumber()) {}

Storage::Storage(std::shared_ptr<Storage> arena, std::int64_t offsetBytes, std::int64_t bytes,
                 DType dtype, std::string field)
    : allocator_(arena->allocator()),
      dtype_(dtype),
      field_(std::move(field)),
      number_(nextNumber()),
      arena_(std::move(arena)),
      sliceOffsetBytes_(offsetBytes),
      sliceBytes_(bytes) {
  if (offsetBytes < 0 || bytes < 0 || bytes > arena_->bytes() - offsetBytes) {
    throw ArgumentError(OwnerScope::current(), "a slice of " + std::to_string(bytes) +
                                                   " bytes from " + std::to_string(offsetBytes) +
                                                   " on leaves its arena of " +
                                                   std::to_string(arena_->bytes()) + " bytes");
  }
}

void Storage::grow(std::int64_t elements, const Shape& shape) {
  if (elements <= this->elements()) return;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(elements, bytesPerElement(dtype_), &bytes)) {
    throw ShapeError(OwnerScope::current(),
                     field_ + " of size " + shape.toString() + " has more than 2^63 bytes");
  }
  if (arena_) {
    throw StateError(OwnerScope::current(),
                     field_ + " of size " + shape.toString() + " needs " + std::to_string(bytes) +
                         " bytes, but the memory plan gives it " + std::to_string(sliceBytes_) +
                         "; remove the plan, or plan for this input");
  }
  Buffer larger(allocator_, bytes, {OwnerScope::current(), field_, shape, number_});
  device().copy(larger.data(), buffer_.data(), buffer_.bytes());
  buffer_ = std::move(larger);
}

void* Storage::data() const {
  return arena_ ? static_cast<char*>(arena_->data()) + sliceOffsetBytes_ : buffer_.data();
}

void Storage::announceWrite(const std::string& writer) {
  ++version_;
  lastWriter_ = writer;
}

void Storage::release() { buffer_ = Buffer(); }

}  // namespace torchette

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

void Storage::grow(std::int64_t elements, const Shape& shape) {
  if (elements <= this->elements()) return;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(elements, bytesPerElement(dtype_), &bytes)) {
    throw ShapeError(OwnerScope::current(),
                     field_ + " of size " + shape.toString() + " has more than 2^63 bytes");
  }
  Buffer larger(allocator_, bytes, {OwnerScope::current(), field_, shape, number_});
  device().copy(larger.data(), buffer_.data(), buffer_.bytes());
  buffer_ = std::move(larger);
}

void Storage::release() { buffer_ = Buffer(); }

}  // namespace torchette

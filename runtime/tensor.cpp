// Views of a storage, and copies between views.
#include "runtime/tensor.h"

#include <utility>

#include "runtime/errors.h"
#include "runtime/owner_scope.h"

namespace torchette {

namespace {

void requireRange(const Tensor& tensor, const char* call, int dimension, std::int64_t start,
                  std::int64_t length) {
  const auto extent = tensor.size(dimension);
  if (start < 0 || length < 0 || start > extent - length) {
    throw ShapeError(OwnerScope::current(),
                     std::string(call) + " asks for " + std::to_string(length) +
                         " elements from index " + std::to_string(start) + " on of dimension " +
                         std::to_string(dimension) + " of a tensor of size " +
                         tensor.shape().toString());
  }
}

void requireSameCount(const Shape& shape, std::size_t values) {
  if (shape.elements() != static_cast<std::int64_t>(values)) {
    throw ShapeError(OwnerScope::current(), "a tensor of size " + shape.toString() + " takes " +
                                                std::to_string(shape.elements()) + " values, got " +
                                                std::to_string(values));
  }
}

/// Whether all elements of a view lie in a storage of `limit` elements; safe for any offset and
/// strides.
bool isWithin(std::int64_t limit, std::int64_t offset, const Shape& shape,
              const std::vector<std::int64_t>& strides) {
  if (offset < 0) return false;
  if (shape.elements() == 0) return true;
  std::int64_t last = offset;
  for (int i = 0; i < shape.rank(); ++i) {
    const auto stride = strides[static_cast<std::size_t>(i)];
    std::int64_t steps = 0;
    if (stride < 0 || __builtin_mul_overflow(shape[i] - 1, stride, &steps) ||
        __builtin_add_overflow(last, steps, &last)) {
      return false;
    }
  }
  return last < limit;
}

}  // namespace

Tensor::Tensor(std::shared_ptr<Allocator> allocator, std::string field, DType dtype)
    : storage_(std::make_shared<Storage>(std::move(allocator), dtype, std::move(field))) {}

template <class T>
Tensor Tensor::fromValues(std::shared_ptr<Allocator> allocator, const Shape& shape,
                          const std::vector<T>& values, std::string field) {
  requireSameCount(shape, values.size());
  Tensor tensor(std::move(allocator), std::move(field), dtypeOf<T>());
  tensor.resize(shape);
  tensor.copyFromValues(values);
  return tensor;
}

void Tensor::resize(const Shape& shape) {
  requireStorage();
  std::int64_t end = 0;
  if (__builtin_add_overflow(offset_, shape.elements(), &end)) {
    throw ShapeError(OwnerScope::current(), "a tensor of size " + shape.toString() +
                                                " from element " + std::to_string(offset_) +
                                                " on has more than 2^63 elements");
  }
  storage_->grow(end, shape);
  shape_ = shape;
  strides_ = shape.contiguousStrides();
}

void Tensor::set(std::shared_ptr<Storage> storage, std::int64_t offset, const Shape& shape,
                 std::vector<std::int64_t> strides) {
  if (static_cast<int>(strides.size()) != shape.rank()) {
    throw ShapeError(OwnerScope::current(), "a view of size " + shape.toString() + " needs " +
                                                std::to_string(shape.rank()) + " strides, got " +
                                                std::to_string(strides.size()));
  }
  if (!isWithin(storage->elements(), offset, shape, strides)) {
    throw ShapeError(OwnerScope::current(), "a view of size " + shape.toString() +
                                                " from element " + std::to_string(offset) +
                                                " on leaves its storage of " +
                                                std::to_string(storage->elements()) + " elements");
  }
  storage_ = std::move(storage);
  offset_ = offset;
  shape_ = shape;
  strides_ = std::move(strides);
}

void Tensor::clear() {
  requireStorage();
  storage_ = std::make_shared<Storage>(storage_->allocator(), storage_->dtype(), storage_->field());
  shape_ = Shape();
  strides_.clear();
  offset_ = 0;
}

bool Tensor::isContiguous() const {
  std::int64_t expected = 1;
  for (int i = rank(); i-- > 0;) {
    if (shape_[i] != 1 && strides_[static_cast<std::size_t>(i)] != expected) return isEmpty();
    expected *= shape_[i];
  }
  return true;
}

DType Tensor::dtype() const {
  requireStorage();
  return storage_->dtype();
}

Device& Tensor::device() const {
  requireStorage();
  return storage_->device();
}

const std::shared_ptr<Allocator>& Tensor::allocator() const {
  requireStorage();
  return storage_->allocator();
}

bool Tensor::sharesStorageWith(const Tensor& other) const {
  return storage_ != nullptr && storage_ == other.storage_;
}

bool Tensor::isSameView(const Tensor& other) const {
  return storage_ == other.storage_ && offset_ == other.offset_ && shape_ == other.shape_ &&
         strides_ == other.strides_;
}

template <class T>
T* Tensor::data() const {
  requireDType(dtypeOf<T>());
  return static_cast<T*>(storage_->data()) + offset_;
}

Tensor Tensor::narrow(int dimension, std::int64_t start, std::int64_t length) const {
  requireRange(*this, "narrow", dimension, start, length);
  Tensor result = *this;
  result.offset_ += start * strides_[static_cast<std::size_t>(dimension)];
  result.shape_ = shape_.with(dimension, length);
  return result;
}

Tensor Tensor::select(int dimension, std::int64_t index) const {
  requireRange(*this, "select", dimension, index, 1);
  Tensor result = narrow(dimension, index, 1);
  result.shape_ = shape_.without(dimension);
  result.strides_.erase(result.strides_.begin() + dimension);
  return result;
}

Tensor Tensor::view(const Shape& shape) const {
  if (!isContiguous() || shape.elements() != elements()) {
    throw ShapeError(OwnerScope::current(), "a tensor of size " + shape_.toString() +
                                                (isContiguous() ? "" : " that is not contiguous") +
                                                " cannot be viewed as " + shape.toString());
  }
  Tensor result = *this;
  result.shape_ = shape;
  result.strides_ = shape.contiguousStrides();
  return result;
}

Tensor Tensor::transpose(int first, int second) const {
  Tensor result = *this;
  result.shape_ = shape_.with(first, size(second)).with(second, size(first));
  std::swap(result.strides_[static_cast<std::size_t>(first)],
            result.strides_[static_cast<std::size_t>(second)]);
  return result;
}

Tensor Tensor::expand(const Shape& shape) const {
  Tensor result = *this;
  bool isPossible = shape.rank() == rank();
  for (int i = 0; isPossible && i < rank(); ++i) {
    if (shape[i] == size(i)) continue;
    isPossible = size(i) == 1;
    result.strides_[static_cast<std::size_t>(i)] = 0;
  }
  if (!isPossible) {
    throw ShapeError(OwnerScope::current(), "a tensor of size " + shape_.toString() +
                                                " cannot be expanded to " + shape.toString() +
                                                "; only extents of 1 can");
  }
  result.shape_ = shape;
  return result;
}

Tensor Tensor::contiguous() const { return isContiguous() ? *this : clone(); }

Tensor Tensor::clone() const {
  Tensor result(allocator(), storage_->field(), dtype());
  result.resize(shape_);
  result.copyFrom(*this);
  return result;
}

void Tensor::copyFrom(const Tensor& source) const {
  source.requireDType(dtype());
  if (source.shape_ != shape_ || &source.device() != &device()) {
    throw ShapeError(OwnerScope::current(),
                     "a tensor of size " + source.shape_.toString() + " on device " +
                         std::string(source.device().name()) +
                         " cannot be copied into one of size " + shape_.toString() + " on device " +
                         std::string(device().name()));
  }
  if (isEmpty()) return;
  const auto elementBytes = bytesPerElement(dtype());
  auto* destinationBytes = static_cast<char*>(storage_->data()) + offset_ * elementBytes;
  const auto* sourceBytes =
      static_cast<const char*>(source.storage_->data()) + source.offset_ * elementBytes;
  if (isContiguous() && source.isContiguous()) {
    device().copy(destinationBytes, sourceBytes, bytes());
  } else {
    device().copyStrided(
        {destinationBytes, sourceBytes, shape_.extents(), strides_, source.strides_, elementBytes});
  }
}

template <class T>
void Tensor::copyFromValues(const std::vector<T>& values) const {
  requireSameCount(shape_, values.size());
  if (!isContiguous()) {
    copyFrom(fromValues(allocator(), shape_, values));
    return;
  }
  device().copyFromHost(data<T>(), values.data(), bytes());
}

template <class T>
std::vector<T> Tensor::values() const {
  const Tensor source = contiguous();
  std::vector<T> values(static_cast<std::size_t>(elements()));
  device().copyToHost(values.data(), source.data<T>(), bytes());
  return values;
}

void Tensor::zero() const {
  if (isEmpty()) return;
  if (isContiguous()) {
    device().zero(static_cast<char*>(storage_->data()) + offset_ * bytesPerElement(dtype()),
                  bytes());
  } else {
    Tensor zeros(allocator(), storage_->field(), dtype());
    zeros.resize(shape_);
    zeros.zero();
    copyFrom(zeros);
  }
}

void Tensor::requireStorage() const {
  if (!storage_) {
    throw StateError(OwnerScope::current(), "a tensor without storage was used; assign one first");
  }
}

void Tensor::requireDType(DType expected) const {
  if (dtype() != expected) {
    throw ShapeError(OwnerScope::current(),
                     "expected a tensor of type " + std::string(nameOf(expected)) + ", got " +
                         std::string(nameOf(dtype())) + " of size " + shape_.toString());
  }
}

template Tensor Tensor::fromValues(std::shared_ptr<Allocator>, const Shape&,
                                   const std::vector<float>&, std::string);
template Tensor Tensor::fromValues(std::shared_ptr<Allocator>, const Shape&,
                                   const std::vector<std::int64_t>&, std::string);
template float* Tensor::data<float>() const;
template std::int64_t* Tensor::data<std::int64_t>() const;
template void Tensor::copyFromValues(const std::vector<float>&) const;
template void Tensor::copyFromValues(const std::vector<std::int64_t>&) const;
template std::vector<float> Tensor::values() const;
template std::vector<std::int64_t> Tensor::values() const;

}  // namespace torchette

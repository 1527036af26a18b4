// Checks and arithmetic on extents.
#include "runtime/shape.h"

#include <algorithm>

#include "runtime/errors.h"

namespace torchette {

namespace {

void requireNonNegative(const std::vector<std::int64_t>& extents) {
  for (const auto extent : extents) {
    if (extent < 0) {
      throw ShapeError("", "a shape has the extent " + std::to_string(extent) +
                               "; every extent must be 0 or more");
    }
  }
}

void requireDimension(const Shape& shape, int dimension, int count) {
  if (dimension < 0 || dimension >= count) {
    throw ShapeError("", "dimension " + std::to_string(dimension) +
                             " was asked of a tensor of size " + shape.toString() + ", which has " +
                             std::to_string(shape.rank()) + " dimensions");
  }
}

}  // namespace

Shape::Shape(std::initializer_list<std::int64_t> extents) : extents_(extents) {
  requireNonNegative(extents_);
}

Shape::Shape(std::vector<std::int64_t> extents) : extents_(std::move(extents)) {
  requireNonNegative(extents_);
}

std::int64_t Shape::operator[](int dimension) const {
  requireDimension(*this, dimension, rank());
  return extents_[static_cast<std::size_t>(dimension)];
}

std::int64_t Shape::elements() const {
  if (extents_.empty() || std::ranges::count(extents_, 0) > 0) return 0;
  std::int64_t product = 1;
  for (const auto extent : extents_) {
    if (__builtin_mul_overflow(product, extent, &product)) {
      throw ShapeError("", "a tensor of size " + toString() + " has more than 2^63 elements");
    }
  }
  return product;
}

std::vector<std::int64_t> Shape::contiguousStrides() const {
  std::vector<std::int64_t> strides(extents_.size());
  std::int64_t stride = 1;
  for (std::size_t i = extents_.size(); i-- > 0;) {
    strides[i] = stride;
    // Wraps around only in shapes too large to hold elements, or with none to step to.
    (void)__builtin_mul_overflow(stride, std::max<std::int64_t>(extents_[i], 1), &stride);
  }
  return strides;
}

Shape Shape::with(int dimension, std::int64_t extent) const {
  requireDimension(*this, dimension, rank());
  auto extents = extents_;
  extents[static_cast<std::size_t>(dimension)] = extent;
  return Shape(std::move(extents));
}

Shape Shape::without(int dimension) const {
  requireDimension(*this, dimension, rank());
  auto extents = extents_;
  extents.erase(extents.begin() + dimension);
  return Shape(std::move(extents));
}

Shape Shape::inserted(int dimension, std::int64_t extent) const {
  requireDimension(*this, dimension, rank() + 1);
  auto extents = extents_;
  extents.insert(extents.begin() + dimension, extent);
  return Shape(std::move(extents));
}

std::string Shape::toString() const {
  if (extents_.empty()) return "empty";
  std::string text;
  for (const auto extent : extents_) {
    if (!text.empty()) text += 'x';
    text += std::to_string(extent);
  }
  return text;
}

}  // namespace torchette

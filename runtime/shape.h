// Shape: the extents of a tensor, outermost first.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace torchette {

/// A list of extents, each >= 0. Rank 0 means "no dimension", which holds no elements (as in
/// Torch7).
class Shape {
 public:
  Shape() = default;
  /// Throws ShapeError if an extent is negative.
  Shape(std::initializer_list<std::int64_t> extents);
  explicit Shape(std::vector<std::int64_t> extents);

  int rank() const { return static_cast<int>(extents_.size()); }
  /// Throws ShapeError if dimension is outside [0, rank).
  std::int64_t operator[](int dimension) const;

  /// Product of the extents, 0 for rank 0. Throws ShapeError if it does not fit in 63 bits.
  std::int64_t elements() const;
  /// Strides, in elements, of a row-major tensor of this shape.
  std::vector<std::int64_t> contiguousStrides() const;

  /// This shape with one extent replaced. This and the next two throw ShapeError for a dimension
  /// outside [0, rank), or [0, rank] for inserted().
  Shape with(int dimension, std::int64_t extent) const;
  /// This shape without one dimension.
  Shape without(int dimension) const;
  /// This shape with one dimension inserted before `dimension`.
  Shape inserted(int dimension, std::int64_t extent) const;

  const std::vector<std::int64_t>& extents() const { return extents_; }
  /// "16x48x256"; "empty" for rank 0.
  std::string toString() const;

  bool operator==(const Shape&) const = default;

 private:
  std::vector<std::int64_t> extents_;
};

}  // namespace torchette

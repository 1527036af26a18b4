// Tensor: sizes, strides and offset over a storage. A cheap value; several may look at one storage.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/shape.h"
#include "runtime/storage.h"

namespace torchette {

/// Data about memory; computes nothing. Copying a tensor copies the view, not the elements.
/// Dimensions and indices count from 0. Members throw ShapeError for dimensions, indices or extents
/// out of range.
class Tensor {
 public:
  /// Looks at no storage; can only be assigned to.
  Tensor() = default;
  /// Empty (no dimension), over a storage of its own that resize() fills. `field` names the bytes.
  explicit Tensor(std::shared_ptr<Allocator> allocator, std::string field = "tensor",
                  DType dtype = DType::float32);
  /// Empty (no dimension), over a storage that is there already.
  explicit Tensor(std::shared_ptr<Storage> storage) : storage_(std::move(storage)) {}
  /// A contiguous tensor holding `values` in row-major order; throws ShapeError if the counts
  /// differ.
  template <class T>
  static Tensor fromValues(std::shared_ptr<Allocator> allocator, const Shape& shape,
                           const std::vector<T>& values, std::string field = "tensor");

  /// Becomes contiguous with this shape, at the offset it has, in its storage, which grows if it
  /// must. Content is unspecified where the shape changes. Throws MemoryError and is unchanged
  /// then.
  void resize(const Shape& shape);
  /// Looks at what `other` looks at, with the same geometry.
  void set(const Tensor& other) { *this = other; }
  /// Looks at `storage` from `offset` (elements) on; throws ShapeError if the view leaves the
  /// storage.
  void set(std::shared_ptr<Storage> storage, std::int64_t offset, const Shape& shape,
           std::vector<std::int64_t> strides);
  /// Becomes empty; bytes are freed unless another tensor looks at the storage.
  void clear();

  const Shape& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  std::int64_t size(int dimension) const { return shape_[dimension]; }
  const std::vector<std::int64_t>& strides() const { return strides_; }
  std::int64_t offset() const { return offset_; }
  std::int64_t elements() const { return shape_.elements(); }
  /// elements() times the element size, as if the tensor had its own storage.
  std::int64_t bytes() const { return elements() * bytesPerElement(dtype()); }
  bool isEmpty() const { return elements() == 0; }
  bool isContiguous() const;

  bool hasStorage() const { return storage_ != nullptr; }
  const std::shared_ptr<Storage>& storage() const { return storage_; }
  DType dtype() const;
  Device& device() const;
  const std::shared_ptr<Allocator>& allocator() const;
  bool sharesStorageWith(const Tensor& other) const;
  /// Whether both look at the same elements of the same storage in the same way.
  bool isSameView(const Tensor& other) const;

  /// Device pointer to the first element; throws ShapeError unless T matches dtype().
  template <class T>
  T* data() const;

  /// Elements [start, start + length) of a dimension.
  Tensor narrow(int dimension, std::int64_t start, std::int64_t length) const;
  /// One index of a dimension, which disappears.
  Tensor select(int dimension, std::int64_t index) const;
  /// The same elements under another shape; needs a contiguous tensor and as many elements.
  Tensor view(const Shape& shape) const;
  Tensor transpose(int first, int second) const;
  /// Repeats dimensions of extent 1 without copying, by a stride of 0.
  Tensor expand(const Shape& shape) const;
  /// Itself if contiguous, else a copy that is, in a storage of its own attributed to the current
  /// owner.
  Tensor contiguous() const;
  /// A contiguous copy in a storage of its own attributed to the current owner.
  Tensor clone() const;

  /// Copies elements between tensors of one shape, dtype and device.
  void copyFrom(const Tensor& source) const;
  /// Replaces all elements, given in row-major order; throws ShapeError if the counts differ.
  template <class T>
  void copyFromValues(const std::vector<T>& values) const;
  /// All elements in row-major order, on the host.
  template <class T>
  std::vector<T> values() const;
  /// Sets all elements to 0.
  void zero() const;

 private:
  void requireStorage() const;
  void requireDType(DType expected) const;

  std::shared_ptr<Storage> storage_;
  Shape shape_;
  std::vector<std::int64_t> strides_;
  std::int64_t offset_ = 0;
};

}  // namespace torchette

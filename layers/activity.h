// Activity: what flows between modules, a tensor or a table (list) of activities, as in Torch7.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/tensor.h"

namespace torchette::nn {

class Activity {
 public:
  Activity() = default;
  Activity(Tensor tensor) : tensor_(std::move(tensor)) {}
  Activity(std::vector<Activity> table) : isTable_(true), table_(std::move(table)) {}

  bool isTensor() const { return !isTable_; }
  /// Throw ShapeError, naming the current owner, if this is the other kind.
  const Tensor& tensor() const;
  Tensor& tensor();
  const std::vector<Activity>& table() const;

  /// Calls visit for each tensor, in order; a nested table's tensors come where the table stands.
  void forEachTensor(const std::function<void(const Tensor&)>& visit) const;
  void forEachTensor(const std::function<void(Tensor&)>& visit);
  /// An activity of the same structure, each tensor replaced by transform(tensor).
  Activity map(const std::function<Tensor(const Tensor&)>& transform) const;
  /// Whether both have the same structure and tensors of the same shapes.
  bool hasShapeOf(const Activity& other) const;
  /// "16x3x32x32", or "{2x3, 4}" for a table.
  std::string shapeText() const;

 private:
  bool isTable_ = false;
  Tensor tensor_;
  std::vector<Activity> table_;
};

/// Remembers which tensors an activity was made of, without keeping their bytes alive. Copies that
/// were made of strided tensors do stay alive until they are forgotten.
class ActivityIdentity {
 public:
  /// `contiguous`: the activity itself, or a copy of it.
  void remember(const Activity& activity, const Activity& contiguous);
  void forget();
  /// Whether `activity` is made of the same views of the same storages as the one remembered.
  bool matches(const Activity& activity) const;
  /// The copy if there is one, else `activity`, which must match.
  const Activity& contiguous(const Activity& activity) const { return copy_ ? *copy_ : activity; }

 private:
  struct View {
    std::weak_ptr<Storage> storage;
    std::int64_t offset;
    Shape shape;
    std::vector<std::int64_t> strides;
  };

  bool isKnown_ = false;
  std::vector<View> views_;
  std::optional<Activity> copy_;
};

}  // namespace torchette::nn

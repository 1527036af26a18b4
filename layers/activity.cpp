#include "layers/activity.h"

#include <utility>

#include "runtime/errors.h"
#include "runtime/owner_scope.h"

namespace torchette::nn {

const Tensor& Activity::tensor() const {
  if (isTable_) {
    throw ShapeError(OwnerScope::current(), "expected a tensor, got a table of " +
                                                std::to_string(table_.size()) + " values");
  }
  return tensor_;
}

Tensor& Activity::tensor() {
  std::as_const(*this).tensor();
  return tensor_;
}

const std::vector<Activity>& Activity::table() const {
  if (!isTable_) {
    throw ShapeError(OwnerScope::current(),
                     "expected a table of tensors, got a tensor of size " + shapeText());
  }
  return table_;
}

void Activity::forEachTensor(const std::function<void(const Tensor&)>& visit) const {
  if (!isTable_) visit(tensor_);
  for (const auto& entry : table_) entry.forEachTensor(visit);
}

void Activity::forEachTensor(const std::function<void(Tensor&)>& visit) {
  if (!isTable_) visit(tensor_);
  for (auto& entry : table_) entry.forEachTensor(visit);
}

Activity Activity::map(const std::function<Tensor(const Tensor&)>& transform) const {
  if (!isTable_) return transform(tensor_);
  std::vector<Activity> mapped;
  mapped.reserve(table_.size());
  for (const auto& entry : table_) mapped.push_back(entry.map(transform));
  return mapped;
}

bool Activity::hasShapeOf(const Activity& other) const {
  if (isTable_ != other.isTable_ || table_.size() != other.table_.size()) return false;
  if (!isTable_) return tensor_.shape() == other.tensor_.shape();
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (!table_[i].hasShapeOf(other.table_[i])) return false;
  }
  return true;
}

std::string Activity::shapeText() const {
  if (!isTable_) return tensor_.shape().toString();
  std::string text;
  for (const auto& entry : table_) text += (text.empty() ? "" : ", ") + entry.shapeText();
  return "{" + text + "}";
}

void ActivityIdentity::remember(const Activity& activity, const Activity& contiguous) {
  forget();
  activity.forEachTensor([this](const Tensor& tensor) {
    views_.push_back({tensor.storage(), tensor.offset(), tensor.shape(), tensor.strides()});
  });
  isKnown_ = true;
  if (!matches(contiguous)) copy_ = contiguous;
}

void ActivityIdentity::forget() {
  isKnown_ = false;
  views_.clear();
  copy_.reset();
}

bool ActivityIdentity::matches(const Activity& activity) const {
  std::size_t count = 0;
  bool isSame = isKnown_;
  activity.forEachTensor([&](const Tensor& tensor) {
    if (count < views_.size()) {
      const auto& seen = views_[count];
      isSame = isSame && seen.storage.lock() == tensor.storage() &&
               seen.offset == tensor.offset() && seen.shape == tensor.shape() &&
               seen.strides == tensor.strides();
    }
    ++count;
  });
  return isSame && count == views_.size();
}

}  // namespace torchette::nn

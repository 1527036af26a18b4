#include "layers/backend_move.h"

#include <utility>

namespace torchette::nn {

void BackendMove::commit() noexcept {
  for (auto* context : contexts_) context->backend = backend_;
  for (auto& [target, value] : tensors_) *target = std::move(value);
  for (auto& [target, value] : activities_) *target = std::move(value);
  for (auto* identity : identities_) identity->forget();
}

void BackendMove::keep(Tensor& tensor) {
  Tensor moved;
  moved.set(copyOf(tensor), tensor.offset(), tensor.shape(), tensor.strides());
  tensors_.push_back({&tensor, std::move(moved)});
}

void BackendMove::clear(Tensor& tensor) {
  const auto& storage = *tensor.storage();
  tensors_.push_back({&tensor, Tensor(backend_->allocator(), storage.field(), storage.dtype())});
}

void BackendMove::clear(Activity& activity, std::string field) {
  activities_.push_back({&activity, Tensor(backend_->allocator(), std::move(field))});
}

/// By way of the host, as neither backend knows the other's memory.
std::shared_ptr<Storage> BackendMove::copyOf(const Tensor& tensor) {
  const auto& source = *tensor.storage();
  auto& copy = copies_[&source];
  if (copy) return copy;
  auto made = std::make_shared<Storage>(backend_->allocator(), source.dtype(), source.field());
  made->grow(source.elements(), tensor.shape());
  std::vector<char> bytes(static_cast<std::size_t>(source.bytes()));
  source.device().copyToHost(bytes.data(), source.data(), source.bytes());
  made->device().copyFromHost(made->data(), bytes.data(), source.bytes());
  copy = std::move(made);
  return copy;
}

}  // namespace torchette::nn

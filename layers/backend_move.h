// BackendMove: takes modules, criteria and optimizers from one backend to another, all or none.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "layers/activity.h"
#include "layers/context.h"

namespace torchette::nn {

/// Members join first, which makes all allocations on the new backend; commit() then changes all of
/// them at once. Without commit() nothing has changed.
///   BackendMove move(backend);
///   net.joinMove(move);
///   criterion.joinMove(move);
///   move.commit();
class BackendMove {
 public:
  explicit BackendMove(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}

  void commit() noexcept;

  // What members call, in the owner scope that the new bytes are attributed to. Arguments must live
  // until commit().

  void useBackend(Context& context) { contexts_.push_back(&context); }
  /// The tensor will look at a copy of its storage. Tensors that share a storage will share the
  /// copy.
  void keep(Tensor& tensor);
  /// The tensor will be empty.
  void clear(Tensor& tensor);
  /// The activity will be an empty tensor.
  void clear(Activity& activity, std::string field);
  void forget(ActivityIdentity& identity) { identities_.push_back(&identity); }

 private:
  template <class T>
  struct Change {
    T* target;
    T value;
  };

  std::shared_ptr<Storage> copyOf(const Tensor& tensor);

  std::shared_ptr<Backend> backend_;
  std::map<const Storage*, std::shared_ptr<Storage>> copies_;
  std::vector<Context*> contexts_;
  std::vector<Change<Tensor>> tensors_;
  std::vector<Change<Activity>> activities_;
  std::vector<ActivityIdentity*> identities_;
};

}  // namespace torchette::nn

#include "layers/inspection.h"

#include <unordered_map>
#include <unordered_set>

namespace torchette::nn {

namespace {

class Inspector {
 public:
  Inspection inspect(Module& network) {
    network.forEachModule([this](Module& module) { addModule(module); });
    return std::move(result_);
  }

 private:
  void addModule(Module& module) {
    result_.modules.push_back(
        {module.path(), module.type(), module.description(), !module.children().empty(), {}});
    module.visitTensors([this](std::string_view field, Role role, Tensor& tensor) {
      if (tensor.hasStorage()) addField(std::string(field), role, tensor);
    });
  }

  void addField(const std::string& field, Role role, const Tensor& tensor) {
    const auto storageBytes = tensor.storage()->root().bytes();
    const auto [number, isNew] = numberOf(tensor.storage()->root());
    result_.modules.back().fields.push_back(
        {field, role, tensor.shape(), tensor.dtype(), tensor.bytes(), number, storageBytes});
    auto& totals = result_.totals;
    totals.upperBoundBytes += tensor.bytes();
    if (role == Role::parameter) totals.parameterBytes += tensor.bytes();
    if (role == Role::workspace && workspaces_.insert(number).second) {
      totals.workspaceBytes += storageBytes;
    }
    if (isNew) {
      totals.heldBytes += storageBytes;
      totals.heldBytesByField[field] += storageBytes;
    }
  }

  /// The number of a storage in this report, and whether it appears for the first time. Storages
  /// without bytes share the number 0.
  std::pair<std::int64_t, bool> numberOf(const Storage& storage) {
    if (storage.bytes() == 0) return {0, false};
    const auto next = static_cast<std::int64_t>(numbers_.size()) + 1;
    const auto [found, isNew] = numbers_.try_emplace(storage.number(), next);
    return {found->second, isNew};
  }

  Inspection result_;
  std::unordered_map<std::int64_t, std::int64_t> numbers_;
  std::unordered_set<std::int64_t> workspaces_;
};

}  // namespace

Inspection inspect(Module& network) { return Inspector().inspect(network); }

}  // namespace torchette::nn

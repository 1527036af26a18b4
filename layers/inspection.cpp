#include "layers/inspection.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

namespace torchette::nn {

namespace {

class Inspector {
 public:
  Inspection inspect(Module& network) {
    network.forEachModule([this](Module& module) { addModule(module); });
    for (const bool isContainer : {false, true}) divideStoragesAmong(isContainer);
    countHeldBytes();
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
    const auto number = numberOf(tensor.storage()->root());
    result_.modules.back().fields.push_back({.field = field,
                                             .role = role,
                                             .shape = tensor.shape(),
                                             .dtype = tensor.dtype(),
                                             .bytes = tensor.bytes(),
                                             .storage = number,
                                             .storageBytes = storageBytes});
    auto& totals = result_.totals;
    totals.upperBoundBytes += tensor.bytes();
    if (role == Role::parameter) totals.parameterBytes += tensor.bytes();
    if (role == Role::workspace && workspaces_.insert(number).second) {
      totals.workspaceBytes += storageBytes;
    }
  }

  /// The number of a storage in this report; 0 for one without bytes.
  std::int64_t numberOf(const Storage& storage) {
    if (storage.bytes() == 0) return 0;
    const auto next = std::ssize(numbers_) + 1;
    return numbers_.try_emplace(storage.number(), next).first->second;
  }

  /// Gives each tensor of the containers, or of the other modules, what is left of its storage, up
  /// to its own size.
  void divideStoragesAmong(bool isContainer) {
    for (auto& module : result_.modules) {
      if (module.isContainer != isContainer) continue;
      for (auto& field : module.fields) {
        if (field.storage == 0) continue;
        const auto [found, isFirst] =
            divisions_.try_emplace(field.storage, Division{&field, field.storageBytes});
        auto& remainingBytes = found->second.remainingBytes;
        field.heldBytes = std::min(field.bytes, remainingBytes);
        remainingBytes -= field.heldBytes;
      }
    }
  }

  void countHeldBytes() {
    for (const auto& [storage, division] : divisions_) {
      division.first->heldBytes += division.remainingBytes;
    }
    auto& totals = result_.totals;
    for (const auto& module : result_.modules) {
      for (const auto& field : module.fields) {
        if (field.heldBytes == 0) continue;
        totals.heldBytes += field.heldBytes;
        totals.heldBytesByField[field.field] += field.heldBytes;
      }
    }
  }

  /// How far a storage is divided.
  struct Division {
    FieldInspection* first;
    std::int64_t remainingBytes;
  };

  Inspection result_;
  std::unordered_map<std::int64_t, std::int64_t> numbers_;
  std::unordered_map<std::int64_t, Division> divisions_;
  std::unordered_set<std::int64_t> workspaces_;
};

}  // namespace

Inspection inspect(Module& network) { return Inspector().inspect(network); }

}  // namespace torchette::nn

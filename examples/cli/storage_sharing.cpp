// Grouping the tensors of a report by storage.
#include "examples/cli/storage_sharing.h"

#include <algorithm>
#include <functional>

namespace torchette::cli {

namespace {

struct FieldPosition {
  std::size_t module;
  std::size_t field;
};

using FieldVisitor =
    std::function<void(FieldPosition position, const nn::FieldInspection& field, std::size_t use)>;

/// Calls visit for each field with bytes of the modules that are containers, or of those that are
/// not; `use` is the index of its storage.
void forEachField(const nn::Inspection& inspection, bool isContainer, const FieldVisitor& visit) {
  for (std::size_t m = 0; m < inspection.modules.size(); ++m) {
    const auto& module = inspection.modules[m];
    if (module.isContainer != isContainer) continue;
    for (std::size_t f = 0; f < module.fields.size(); ++f) {
      const auto storage = module.fields[f].storage;
      if (storage > 0) visit({m, f}, module.fields[f], static_cast<std::size_t>(storage - 1));
    }
  }
}

}  // namespace

std::vector<StorageUse> storageUses(const nn::Inspection& inspection) {
  std::vector<StorageUse> uses;
  for (const auto& module : inspection.modules) {
    for (const auto& field : module.fields) {
      if (field.storage == 0) continue;
      // Storages are numbered from 1 in order of appearance.
      if (field.storage > std::ssize(uses)) uses.push_back({field.storageBytes, 0, {}});
      auto& use = uses[static_cast<std::size_t>(field.storage - 1)];
      use.tensorBytes += field.bytes;
      use.tensors.push_back(module.path + " " + field.field);
    }
  }
  return uses;
}

std::vector<std::vector<std::int64_t>> countedBytes(const nn::Inspection& inspection) {
  std::vector<std::vector<std::int64_t>> counted;
  for (const auto& module : inspection.modules) counted.emplace_back(module.fields.size(), 0);

  const auto uses = storageUses(inspection);
  std::vector<std::int64_t> remaining;
  remaining.reserve(uses.size());
  for (const auto& use : uses) remaining.push_back(use.bytes);
  std::vector<std::int64_t*> first(uses.size(), nullptr);
  for (const bool isContainer : {false, true}) {
    forEachField(inspection, isContainer,
                 [&](FieldPosition at, const nn::FieldInspection& field, std::size_t use) {
                   auto& bytes = counted[at.module][at.field];
                   bytes = std::min(field.bytes, remaining[use]);
                   remaining[use] -= bytes;
                   if (first[use] == nullptr) first[use] = &bytes;
                 });
  }
  for (std::size_t use = 0; use < uses.size(); ++use) *first[use] += remaining[use];
  return counted;
}

}  // namespace torchette::cli

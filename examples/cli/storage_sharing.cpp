// Grouping the tensors of a report by storage.
#include "examples/cli/storage_sharing.h"

#include <iterator>

namespace torchette::cli {

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

}  // namespace torchette::cli

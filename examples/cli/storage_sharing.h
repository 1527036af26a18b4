// Which tensors of a report look at one storage.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layers/inspection.h"

namespace torchette::cli {

/// One storage and all tensors that look at it.
struct StorageUse {
  std::int64_t bytes = 0;            ///< of the storage
  std::int64_t tensorBytes = 0;      ///< the tensors', each counted as if it had its own storage
  std::vector<std::string> tensors;  ///< "net/conv1 output", in the order of the report

  std::int64_t savedBytes() const { return tensorBytes - bytes; }
};

/// In the order of their numbers. The sum of savedBytes() is upperBoundBytes - heldBytes.
std::vector<StorageUse> storageUses(const nn::Inspection& inspection);

}  // namespace torchette::cli

// Inspection: what every tensor of every module of a network holds right now.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "layers/module.h"

namespace torchette::nn {

/// One tensor of a module.
struct FieldInspection {
  std::string field;
  Role role = Role::activation;
  Shape shape;
  DType dtype = DType::float32;
  std::int64_t bytes = 0;         ///< of the tensor, as if it had its own storage
  std::int64_t storage = 0;       ///< counts storages from 1 in order of appearance; 0: no bytes
  std::int64_t storageBytes = 0;  ///< of the whole storage it looks at
  /// What counts here when every byte held is counted once: each storage is divided among the
  /// tensors that look at it, layers before containers, none getting more than its own size; what
  /// is left over goes to the first.
  std::int64_t heldBytes = 0;
};

struct ModuleInspection {
  std::string path;
  std::string type;
  std::string description;
  bool isContainer = false;
  std::vector<FieldInspection> fields;
};

/// Sums over the listed tensors.
struct InspectionTotals {
  std::int64_t upperBoundBytes = 0;  ///< every tensor counted as if it had its own storage
  std::int64_t heldBytes = 0;        ///< every storage counted once, at its real size
  std::int64_t workspaceBytes = 0;   ///< storages that workspaces look at
  std::int64_t parameterBytes = 0;   ///< tensors that are parameters, without their gradients
  /// The fields' heldBytes, summed by name.
  std::map<std::string, std::int64_t> heldBytesByField;
};

struct Inspection {
  std::vector<ModuleInspection> modules;  ///< depth first
  InspectionTotals totals;
};

Inspection inspect(Module& network);

}  // namespace torchette::nn

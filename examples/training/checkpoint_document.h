// A checkpoint as a JSON document with binary values.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "examples/training/checkpoint.h"

namespace torchette::training {

nlohmann::ordered_json toDocument(const Checkpoint& checkpoint);
/// Throws nlohmann::json::exception or ShapeError for a document of another form.
Checkpoint checkpointFrom(const nlohmann::ordered_json& document);

}  // namespace torchette::training

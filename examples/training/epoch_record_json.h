// EpochRecord as JSON, for checkpoints and logs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "examples/training/epoch_record.h"

namespace torchette::training {

nlohmann::ordered_json toDocument(const EpochRecord& record);
/// Throws nlohmann::json::exception for a document of another form.
EpochRecord epochRecordFrom(const nlohmann::ordered_json& document);

}  // namespace torchette::training

// How the program writes JSON documents.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace torchette::cli {

/// One record a line: an object or array is written on one line if nothing in it has members that
/// are objects or arrays of their own. Ends with a newline.
std::string jsonText(const nlohmann::ordered_json& document);

}  // namespace torchette::cli

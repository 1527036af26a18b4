// Reading what the real Torch7 produced, from tests/golden/.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/tensor.h"

namespace torchette::testing {

/// Full path of a file of tests/golden/, e.g. of "lenet_binary.t7".
std::filesystem::path goldenPath(const std::string& fileName);

/// The content of a file such as "Linear__1.json". Throws std::runtime_error if it cannot be read.
nlohmann::json loadGolden(const std::string& fileName);

/// A list of numbers; numbers may also be written as strings, for their precision.
std::vector<double> goldenNumbers(const nlohmann::json& list);

/// The same, rounded to float.
std::vector<float> goldenFloats(const nlohmann::json& list);

/// Turns {"shape": [..], "data": [..]} into a contiguous tensor; an empty shape gives an empty
/// tensor.
Tensor goldenTensor(const std::shared_ptr<Allocator>& allocator, const nlohmann::json& value);

}  // namespace torchette::testing

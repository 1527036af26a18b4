// Lists of sizes, as View and Reshape take them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace torchette::nn {

/// Throws ArgumentError, naming the current owner, for an empty list or sizes below 1; one -1 may
/// be among them if mayInferOne.
void requireSizes(const std::vector<std::int64_t>& sizes, bool mayInferOne);

/// {12, 5} and "x" give "12x5".
std::string joined(const std::vector<std::int64_t>& sizes, const std::string& separator);

}  // namespace torchette::nn

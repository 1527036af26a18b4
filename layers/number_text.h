// Numbers as Torch7 prints them in module descriptions.
#pragma once

#include <string>

namespace torchette::nn {

/// Lua's default: up to 14 significant digits, here 7 since values are float: 0.2 gives "0.2".
std::string numberText(double value);
/// Lua's "%f": 0.3 gives "0.300000".
std::string fixedNumberText(double value);

}  // namespace torchette::nn

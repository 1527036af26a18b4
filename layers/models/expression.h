// Expressions: networks written in Torch7's own words.
#pragma once

#include <memory>
#include <string_view>

#include "layers/module.h"

namespace torchette::nn {

/// Builds what an expression describes, under the path "net":
///   nn.SpatialConvolution(3,4,4,4,2,2,1,1)          one module
///   nn.Linear(2,3); nn.Tanh(); nn.Linear(3,1)       several in a Sequential
///   nn.Sequential():add(nn.View(4)):add(nn.Tanh())  containers, and methods such as :noBias() or
///   :ceil()
/// Throws ArgumentError that says where the text could not be read or what is not supported.
std::unique_ptr<Module> moduleFromExpression(std::string_view text, const Context& context);

}  // namespace torchette::nn

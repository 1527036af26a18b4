// The table of module types that can be made from their Torch7 names.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "layers/models/constructor_arguments.h"
#include "layers/module.h"

namespace torchette::nn {

/// Builds the module type named e.g. "nn.Linear" in the current owner scope, with Torch7's argument
/// order. Throws ArgumentError for an unknown type (the message lists what there is) or arguments
/// that do not fit.
std::unique_ptr<Module> makeModule(const std::string& type, const Context& context,
                                   const ConstructorArguments& arguments);

/// Calls the Torch7 method of that name on a module, e.g. "noBias" or "ceil". Throws ArgumentError
/// if the module has none.
void callMethod(Module& module, const std::string& method, const ConstructorArguments& arguments);

}  // namespace torchette::nn

// MODEL: whatever names a network on the command line.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "layers/models/built_in.h"

namespace torchette::nn {

/// A network under the path "net", and what is known of it besides.
struct Model {
  std::string name;  ///< the text it was made from
  std::unique_ptr<Module> network;
  std::optional<Objective> objective;  ///< known for built-in models
  std::optional<Shape> sampleShape;    ///< planes x height x width, known for built-in models
};

/// Accepts a built-in name or an expression (expression.h). Throws ArgumentError that says what is
/// accepted.
Model makeModel(const std::string& text, const Context& context);

}  // namespace torchette::nn

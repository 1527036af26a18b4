#include "layers/models/model.h"

#include "layers/models/expression.h"
#include "runtime/errors.h"

namespace torchette::nn {

Model makeModel(const std::string& text, const Context& context) {
  if (const auto* builtIn = findBuiltInModel(text)) {
    auto network = build<Sequential>("net", context);
    builtIn->addModules(*network);
    return {text, std::move(network), builtIn->objective, builtIn->sampleShape};
  }
  if (text.find("nn.") == std::string::npos) {
    std::string names;
    for (const auto& model : builtInModels()) names += " " + std::string(model.name);
    throw ArgumentError("", "there is no model '" + text + "'; built in are" + names +
                                ", and an expression such as 'nn.Linear(4,2)' is accepted too");
  }
  return {text, moduleFromExpression(text, context), std::nullopt, std::nullopt};
}

}  // namespace torchette::nn

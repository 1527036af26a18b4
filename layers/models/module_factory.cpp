#include "layers/models/module_factory.h"

#include <map>

#include "layers/c_add_table.h"
#include "layers/concat_table.h"
#include "layers/dropout.h"
#include "layers/identity.h"
#include "layers/leaky_relu.h"
#include "layers/linear.h"
#include "layers/relu.h"
#include "layers/reshape.h"
#include "layers/sequential.h"
#include "layers/sigmoid.h"
#include "layers/soft_max.h"
#include "layers/spatial_average_pooling.h"
#include "layers/spatial_batch_normalization.h"
#include "layers/spatial_convolution.h"
#include "layers/spatial_full_convolution.h"
#include "layers/spatial_max_pooling.h"
#include "layers/tanh.h"
#include "layers/threshold.h"
#include "layers/view.h"
#include "runtime/errors.h"

namespace torchette::nn {

namespace {

using Arguments = ConstructorArguments;
using ModulePointer = std::unique_ptr<Module>;

/// How to build one type, and how many arguments it takes at most.
struct Recipe {
  std::size_t mostArguments;
  ModulePointer (*make)(const Context& context, const Arguments& a);
};

template <class T>
ModulePointer makePlain(const Context& context, const Arguments& /*a*/) {
  return std::make_unique<T>(context);
}

template <class T>
ModulePointer makeInplace(const Context& context, const Arguments& a) {
  return std::make_unique<T>(context, a.boolean(0, false));
}

ModulePointer makeConvolution(const Context& context, const Arguments& a) {
  return std::make_unique<SpatialConvolution>(context, a.integer(0), a.integer(1), a.integer(2),
                                              a.integer(3), a.integer(4, 1), a.integer(5, 1),
                                              a.integer(6, 0), a.optionalInteger(7));
}

ModulePointer makeFullConvolution(const Context& context, const Arguments& a) {
  return std::make_unique<SpatialFullConvolution>(
      context, a.integer(0), a.integer(1), a.integer(2), a.integer(3), a.integer(4, 1),
      a.integer(5, 1), a.integer(6, 0), a.integer(7, 0), a.integer(8, 0), a.integer(9, 0));
}

ModulePointer makeMaxPooling(const Context& context, const Arguments& a) {
  return std::make_unique<SpatialMaxPooling>(context, a.integer(0), a.integer(1),
                                             a.optionalInteger(2), a.optionalInteger(3),
                                             a.integer(4, 0), a.integer(5, 0));
}

ModulePointer makeAveragePooling(const Context& context, const Arguments& a) {
  return std::make_unique<SpatialAveragePooling>(context, a.integer(0), a.integer(1),
                                                 a.integer(2, 1), a.integer(3, 1), a.integer(4, 0),
                                                 a.integer(5, 0));
}

ModulePointer makeBatchNormalization(const Context& context, const Arguments& a) {
  return std::make_unique<SpatialBatchNormalization>(context, a.integer(0), a.number(1, 1e-5),
                                                     a.number(2, 0.1), a.boolean(3, true));
}

ModulePointer makeLinear(const Context& context, const Arguments& a) {
  return std::make_unique<Linear>(context, a.integer(0), a.integer(1), a.boolean(2, true));
}

/// A boolean in the place of the slope means the default slope and, as in Torch7, no more than
/// that.
ModulePointer makeLeakyReLU(const Context& context, const Arguments& a) {
  const double negativeSlope = a.isBoolean(0) ? 0.01 : a.number(0, 0.01);
  return std::make_unique<LeakyReLU>(context, negativeSlope, a.boolean(1, false));
}

ModulePointer makeDropout(const Context& context, const Arguments& a) {
  return std::make_unique<Dropout>(context, a.number(0, 0.5), a.boolean(1, false),
                                   a.boolean(2, false));
}

ModulePointer makeThreshold(const Context& context, const Arguments& a) {
  return std::make_unique<Threshold>(context, a.number(0, 1e-6), a.number(1, 0),
                                     a.boolean(2, false));
}

ModulePointer makeView(const Context& context, const Arguments& a) {
  return std::make_unique<View>(context, a.integers());
}

ModulePointer makeReshape(const Context& context, const Arguments& a) {
  const auto sizes = a.integers();
  return std::make_unique<Reshape>(context, sizes, a.optionalBoolean(sizes.size()));
}

const std::map<std::string, Recipe>& recipes() {
  constexpr std::size_t anyNumber = 16;
  static const std::map<std::string, Recipe> table = {
      {"nn.CAddTable", {1, makeInplace<CAddTable>}},
      {"nn.ConcatTable", {0, makePlain<ConcatTable>}},
      {"nn.Dropout", {3, makeDropout}},
      {"nn.Identity", {0, makePlain<Identity>}},
      {"nn.LeakyReLU", {2, makeLeakyReLU}},
      {"nn.Linear", {3, makeLinear}},
      {"nn.LogSoftMax", {0, makePlain<LogSoftMax>}},
      {"nn.ReLU", {1, makeInplace<ReLU>}},
      {"nn.Reshape", {anyNumber, makeReshape}},
      {"nn.Sequential", {0, makePlain<Sequential>}},
      {"nn.Sigmoid", {0, makePlain<Sigmoid>}},
      {"nn.SoftMax", {0, makePlain<SoftMax>}},
      {"nn.SpatialAveragePooling", {6, makeAveragePooling}},
      {"nn.SpatialBatchNormalization", {4, makeBatchNormalization}},
      {"nn.SpatialConvolution", {8, makeConvolution}},
      {"nn.SpatialFullConvolution", {10, makeFullConvolution}},
      {"nn.SpatialMaxPooling", {6, makeMaxPooling}},
      {"nn.Tanh", {0, makePlain<Tanh>}},
      {"nn.Threshold", {3, makeThreshold}},
      {"nn.View", {anyNumber, makeView}},
  };
  return table;
}

/// Calls `method` on the module if it is a T and says whether it was.
template <class T>
bool callIf(Module& module, void (T::*method)()) {
  auto* target = dynamic_cast<T*>(&module);
  if (target != nullptr) (target->*method)();
  return target != nullptr;
}

}  // namespace

std::unique_ptr<Module> makeModule(const std::string& type, const Context& context,
                                   const ConstructorArguments& arguments) {
  const auto found = recipes().find(type);
  if (found == recipes().end()) {
    std::string known;
    for (const auto& [name, recipe] : recipes()) known += (known.empty() ? "" : ", ") + name;
    throw ArgumentError("", type + " is not supported; supported are " + known);
  }
  arguments.requireAtMost(found->second.mostArguments);
  return found->second.make(context, arguments);
}

void callMethod(Module& module, const std::string& method, const ConstructorArguments& arguments) {
  bool isDone = false;
  if (method == "setNumInputDims") {
    arguments.requireAtMost(1);
    auto* view = dynamic_cast<View*>(&module);
    if (view != nullptr) view->setNumInputDims(static_cast<int>(arguments.integer(0)));
    isDone = view != nullptr;
  } else {
    arguments.requireAtMost(0);
    if (method == "noBias") {
      isDone = callIf(module, &Convolution::noBias) || callIf(module, &Linear::noBias);
    } else if (method == "ceil") {
      isDone = callIf(module, &Pooling::ceil);
    } else if (method == "floor") {
      isDone = callIf(module, &Pooling::floor);
    } else if (method == "setCountIncludePad") {
      isDone = callIf(module, &SpatialAveragePooling::setCountIncludePad);
    } else if (method == "setCountExcludePad") {
      isDone = callIf(module, &SpatialAveragePooling::setCountExcludePad);
    }
  }
  if (!isDone) throw ArgumentError("", module.type() + " has no method " + method);
}

}  // namespace torchette::nn

// Optimizers and data of training runs whose course in Torch7 is known.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "layers/optim/optimizer.h"

namespace torchette::testing {

/// The optimizer of a trace: its "optimizer" ("optim.sgd" if missing) with its "config".
std::unique_ptr<optim::Optimizer> goldenOptimizer(const nn::Context& context,
                                                  const nlohmann::json& trace);

/// Class numbers from 0, from a list that counts from 1.
std::vector<std::int64_t> goldenClasses(const nlohmann::json& list);

}  // namespace torchette::testing

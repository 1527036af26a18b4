// The optimizer that the training options ask for.
#pragma once

#include <memory>

#include "examples/training/options.h"
#include "layers/optim/optimizer.h"

namespace torchette::training {

/// Built under the path "optim". `options` are valid.
std::unique_ptr<optim::Optimizer> makeOptimizer(const nn::Context& context,
                                                const TrainingOptions& options);

}  // namespace torchette::training

// Optimizers by name.
#include "examples/training/optimizer_choice.h"

#include "layers/optim/adam.h"
#include "layers/optim/sgd.h"

namespace torchette::training {

std::unique_ptr<optim::Optimizer> makeOptimizer(const nn::Context& context,
                                                const TrainingOptions& options) {
  if (options.optimizer == "adam") {
    const optim::AdamConfig config{.learningRate = options.learningRate,
                                   .learningRateDecay = options.learningRateDecay,
                                   .weightDecay = options.weightDecay};
    return nn::build<optim::Adam>("optim", context, config);
  }
  const optim::SgdConfig config{.learningRate = options.learningRate,
                                .learningRateDecay = options.learningRateDecay,
                                .weightDecay = options.weightDecay,
                                .momentum = options.momentum,
                                .dampening = 0};
  return nn::build<optim::Sgd>("optim", context, config);
}

}  // namespace torchette::training

// Putting what the command line names over the defaults.
#include "examples/cli/train_options.h"

#include <utility>

#include "examples/cli/usage_error.h"

namespace torchette::cli {

namespace {

template <class T>
void put(T& setting, const std::optional<T>& named) {
  if (named) setting = *named;
}

}  // namespace

training::TrainingOptions TrainingOverrides::over(nn::Objective objective) const {
  return over(optimizer ? training::defaultOptions(objective, *optimizer)
                        : training::defaultOptions(objective));
}

training::TrainingOptions TrainingOverrides::over(training::TrainingOptions options) const {
  if (optimizer.value_or(options.optimizer) != options.optimizer) {
    throw UsageError("--optimizer", "the run to continue was begun with " + options.optimizer);
  }
  put(options.epochs, epochs);
  put(options.batch, batch);
  put(options.learningRate, learningRate);
  put(options.momentum, momentum);
  put(options.weightDecay, weightDecay);
  put(options.seed, seed);
  if (options.optimizer == "adam" && options.momentum != 0) {
    throw UsageError("--momentum", "adam has a momentum of its own; leave the option out");
  }
  return options;
}

}  // namespace torchette::cli

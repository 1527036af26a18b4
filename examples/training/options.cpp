// Defaults and limits of the training options.
#include "examples/training/options.h"

#include "runtime/errors.h"

namespace torchette::training {

namespace {

void require(bool isValid, const std::string& setting, const std::string& expected) {
  if (!isValid) throw ArgumentError("training", setting + " must be " + expected);
}

}  // namespace

TrainingOptions defaultOptions(nn::Objective objective) {
  return defaultOptions(objective, objective == nn::Objective::classification ? "sgd" : "adam");
}

TrainingOptions defaultOptions(nn::Objective objective, const std::string& optimizer) {
  const bool isClassifier = objective == nn::Objective::classification;
  TrainingOptions options;
  options.optimizer = optimizer;
  if (optimizer == "adam") {
    options.learningRate = isClassifier ? 3e-3 : 1e-2;
    options.learningRateDecay = 2e-3;
  } else {
    // The mean over all pixels makes the gradients of a reconstruction small.
    options.learningRate = isClassifier ? 0.05 : 1;
    options.learningRateDecay = 1e-3;
    options.momentum = 0.9;
  }
  return options;
}

void requireValid(const TrainingOptions& options) {
  const bool isSgd = options.optimizer == "sgd";
  require(isSgd || options.optimizer == "adam", "the optimizer", "sgd or adam");
  require(options.epochs >= 1, "the number of epochs", "at least 1");
  require(options.batch >= 1, "the batch", "at least 1 image");
  require(options.learningRate > 0, "the learning rate", "above 0");
  require(options.learningRateDecay >= 0, "the learning rate decay", "at least 0");
  require(options.weightDecay >= 0, "the weight decay", "at least 0");
  require(options.momentum >= 0 && options.momentum < 1, "the momentum", "in [0, 1)");
  require(isSgd || options.momentum == 0, "the momentum", "0 for adam, which has its own");
}

}  // namespace torchette::training

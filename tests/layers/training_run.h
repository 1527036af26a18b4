// A small network in training, call by call, so that each call can be made to fail.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "layers/criteria/class_nll_criterion.h"
#include "layers/optim/adam.h"
#include "tests/layers/layer_support.h"

namespace torchette::testing {

/// Everything that a failed call must leave as it was.
struct TrainingState {
  std::vector<float> parameters, gradients, statistics;
  std::string random;

  bool operator==(const TrainingState&) const = default;
};

/// A network with every kind of layer, a criterion and an optimizer; the same at each start.
class TrainingRun {
 public:
  TrainingRun(const std::shared_ptr<Backend>& backend, nn::WorkspaceStrategy strategy);

  /// The calls of one training step on a batch of this size: forward and backward of network and
  /// criterion, and the optimizer's step. They refer to this object.
  std::vector<std::function<void()>> stepCalls(std::int64_t samples);
  void step(std::int64_t samples);

  TrainingState state() const;

 private:
  nn::Context context_;
  std::unique_ptr<nn::Module> network_;
  nn::ClassNLLCriterion criterion_;
  optim::Adam optimizer_;
  nn::FlatParameters flat_;
  Tensor input_, target_;
};

}  // namespace torchette::testing

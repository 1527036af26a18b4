// Between the live parts of a training run and the values that a checkpoint holds of them.
#pragma once

#include <string>
#include <vector>

#include "examples/training/checkpoint.h"
#include "layers/optim/optimizer.h"

namespace torchette::training {

/// The parts of a run that a checkpoint restores.
struct TrainingState {
  nn::Module& network;
  const Tensor& parameters;  ///< flat; the network's parameters are views of it
  optim::Optimizer& optimizer;
  Generator& generator;
};

/// Fills parameters, moduleState, optimizerSteps, optimizerState and generator.
void save(const TrainingState& state, Checkpoint& checkpoint);

/// Sets `state` to what save() saw. Throws FileError that names `place` if the tensors are not
/// those of this network and optimizer; nothing has changed then.
void restore(const TrainingState& state, const Checkpoint& checkpoint, const std::string& place);

}  // namespace torchette::training

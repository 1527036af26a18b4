// Restoring works in two steps: find and check everything, then change everything.
#include "examples/training/training_state.h"

#include <algorithm>

#include "runtime/errors.h"

namespace torchette::training {

namespace {

/// A live tensor that outlives single steps, and what it is called.
struct NamedTensor {
  std::string path;
  std::string field;
  Tensor* tensor;
};

std::vector<NamedTensor> stateOf(nn::Module& network) {
  std::vector<NamedTensor> found;
  network.forEachModule([&found](nn::Module& module) {
    module.visitTensors([&](std::string_view field, nn::Role role, Tensor& tensor) {
      if (role == nn::Role::state) found.push_back({module.path(), std::string(field), &tensor});
    });
  });
  return found;
}

std::vector<NamedTensor> stateOf(optim::Optimizer& optimizer) {
  std::vector<NamedTensor> found;
  optimizer.visitTensors([&](std::string_view field, nn::Role, Tensor& tensor) {
    found.push_back({optimizer.path(), std::string(field), &tensor});
  });
  return found;
}

std::vector<SavedTensor> saved(const std::vector<NamedTensor>& tensors) {
  std::vector<SavedTensor> result;
  for (const auto& [path, field, tensor] : tensors) {
    const bool isEmpty = tensor->isEmpty();
    result.push_back(
        {path, field, tensor->shape(), isEmpty ? std::vector<float>() : tensor->values<float>()});
  }
  return result;
}

void requireSameNames(const std::vector<NamedTensor>& tensors,
                      const std::vector<SavedTensor>& values, const std::string& place) {
  const bool areSame =
      std::ranges::equal(tensors, values, [](const NamedTensor& tensor, const SavedTensor& value) {
        return tensor.path == value.path && tensor.field == value.field &&
               value.shape.elements() == static_cast<std::int64_t>(value.values.size());
      });
  if (!areSame) throw FileError(place, "the checkpoint holds the state of other layers");
}

void requireSameSize(const std::string& name, const Shape& live, const Shape& saved,
                     const std::string& place) {
  if (live != saved) {
    throw FileError(place, "the checkpoint's " + name + " has size " + saved.toString() +
                               ", this network's " + live.toString());
  }
}

void requireFitting(const TrainingState& state, const Checkpoint& checkpoint,
                    const std::string& place) {
  const Shape flat{static_cast<std::int64_t>(checkpoint.parameters.size())};
  requireSameSize("parameter vector", state.parameters.shape(), flat, place);
  const auto modules = stateOf(state.network);
  requireSameNames(modules, checkpoint.moduleState, place);
  for (std::size_t i = 0; i < modules.size(); ++i) {
    requireSameSize(modules[i].path + "." + modules[i].field, modules[i].tensor->shape(),
                    checkpoint.moduleState[i].shape, place);
  }
  requireSameNames(stateOf(state.optimizer), checkpoint.optimizerState, place);
  for (const auto& value : checkpoint.optimizerState) {
    if (!value.values.empty())
      requireSameSize(value.path + "." + value.field, flat, value.shape, place);
  }
}

Generator restoredGenerator(const std::string& state, const std::string& place) {
  Generator generator;
  try {
    generator.restore(state);
  } catch (const ArgumentError&) {
    throw FileError(place, "the checkpoint holds no state of the random stream");
  }
  return generator;
}

/// New tensors for the optimizer, with the saved values.
std::vector<Tensor> restoredTensors(optim::Optimizer& optimizer,
                                    const std::vector<SavedTensor>& values) {
  const OwnerScope scope(optimizer.path());
  const auto live = stateOf(optimizer);
  std::vector<Tensor> restored;
  for (std::size_t i = 0; i < live.size(); ++i) {
    const auto& allocator = live[i].tensor->allocator();
    restored.emplace_back(allocator, live[i].field, live[i].tensor->dtype());
    if (values[i].values.empty()) continue;
    restored.back().resize(values[i].shape);
    restored.back().copyFromValues(values[i].values);
  }
  return restored;
}

}  // namespace

void save(const TrainingState& state, Checkpoint& checkpoint) {
  checkpoint.parameters = state.parameters.values<float>();
  checkpoint.moduleState = saved(stateOf(state.network));
  checkpoint.optimizerSteps = state.optimizer.evalCounter();
  checkpoint.optimizerState = saved(stateOf(state.optimizer));
  checkpoint.generator = state.generator.state();
}

void restore(const TrainingState& state, const Checkpoint& checkpoint, const std::string& place) {
  requireFitting(state, checkpoint, place);
  const auto generator = restoredGenerator(checkpoint.generator, place);
  auto optimizerTensors = restoredTensors(state.optimizer, checkpoint.optimizerState);

  const auto modules = stateOf(state.network);
  for (std::size_t i = 0; i < modules.size(); ++i) {
    modules[i].tensor->copyFromValues(checkpoint.moduleState[i].values);
  }
  const auto live = stateOf(state.optimizer);
  for (std::size_t i = 0; i < live.size(); ++i) std::swap(*live[i].tensor, optimizerTensors[i]);
  state.parameters.copyFromValues(checkpoint.parameters);
  state.optimizer.setEvalCounter(checkpoint.optimizerSteps);
  state.generator = generator;
}

}  // namespace torchette::training

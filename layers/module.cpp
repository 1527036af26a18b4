#include "layers/module.h"

#include "layers/backend_move.h"
#include "runtime/errors.h"

namespace torchette::nn {

Module::Module(Context context)
    : output(Tensor(context.backend->allocator(), "output")),
      gradInput(Tensor(context.backend->allocator(), "gradInput")),
      context_(std::move(context)),
      path_(OwnerScope::current()) {}

const Activity& Module::forward(const Activity& input) {
  const Generator before = *context_.generator;
  try {
    propagate(input);
  } catch (...) {
    *context_.generator = before;
    forEachModule([](Module& module) { module.forgetForward(); });
    throw;
  }
  commitForward();
  return output;
}

const Activity& Module::backward(const Activity& input, const Activity& gradOutput, float scale) {
  if (memorySharing_ == MemorySharing::plan) {
    throw StateError(path_,
                     "backward needs tensors that the memory plan has reused; remove the plan");
  }
  const auto dy = contiguous(gradOutput);
  propagateGradient(input, dy);
  forEachModule([](const Module& module) {
    if (module.isSharingGuarded_) module.requireKeptWorkspace();
  });
  accumulate(input, dy, scale);
  return gradInput;
}

void Module::setWorkspaceStrategy(WorkspaceStrategy strategy) {
  requireNothingShared("another workspace strategy");
  forEachModule([strategy](Module& module) {
    module.useWorkspaceStrategy(strategy);
    module.forgetForward();
  });
}

void Module::clearState() {
  forEachModule([](Module& module) {
    const bool isPlanned = module.memorySharing_ == MemorySharing::plan;
    module.output = module.makeTensor("output");
    module.gradInput = module.makeTensor("gradInput");
    module.visitTensors([isPlanned](std::string_view, Role role, Tensor& tensor) {
      if (role == Role::workspace && !isPlanned) {
        tensor.storage()->release();
        tensor = Tensor(tensor.storage());
      } else if (role == Role::workspace || role == Role::buffer) {
        tensor.clear();
      }
    });
    if (isPlanned) module.setMemorySharing(MemorySharing::off);
    module.forgetForward();
  });
}

void Module::to(const std::shared_ptr<Backend>& backend) {
  BackendMove move(backend);
  joinMove(move);
  move.commit();
}

void Module::joinMove(BackendMove& move) {
  requireNothingShared("a move to another backend");
  forEachModule([&move](Module& module) {
    const OwnerScope scope(module.path_);
    move.useBackend(module.context_);
    move.clear(module.output, "output");
    move.clear(module.gradInput, "gradInput");
    module.visitTensors([&move](std::string_view, Role role, Tensor& tensor) {
      if (role == Role::workspace || role == Role::buffer) move.clear(tensor);
      if (role == Role::parameter || role == Role::parameterGradient || role == Role::state) {
        move.keep(tensor);
      }
    });
    move.forget(module.lastInput_);
  });
}

Parameters Module::parameters() {
  Parameters result;
  forEachModule([&result](Module& module) {
    module.visitTensors([&result](std::string_view, Role role, Tensor& tensor) {
      if (role == Role::parameter) result.values.push_back(&tensor);
      if (role == Role::parameterGradient) result.gradients.push_back(&tensor);
    });
  });
  return result;
}

void Module::zeroGradParameters() {
  for (const auto* gradient : parameters().gradients) gradient->zero();
}

namespace {

/// One vector that holds the elements of all tensors in order.
Tensor concatenated(const std::vector<Tensor*>& tensors, Tensor flat) {
  std::int64_t elements = 0;
  for (const auto* tensor : tensors) elements += tensor->elements();
  flat.resize({elements});
  std::int64_t offset = 0;
  for (const auto* tensor : tensors) {
    flat.narrow(0, offset, tensor->elements()).view(tensor->shape()).copyFrom(*tensor);
    offset += tensor->elements();
  }
  return flat;
}

/// Makes the tensors views of the vector that concatenated() made of them.
void lookAt(const Tensor& flat, const std::vector<Tensor*>& tensors) {
  std::int64_t offset = 0;
  for (auto* tensor : tensors) {
    const auto elements = tensor->elements();
    tensor->set(flat.narrow(0, offset, elements).view(tensor->shape()));
    offset += elements;
  }
}

}  // namespace

FlatParameters Module::getParameters() {
  const OwnerScope scope(path_);
  const auto [values, gradients] = parameters();
  FlatParameters flat{concatenated(values, makeTensor("parameters")),
                      concatenated(gradients, makeTensor("gradParameters"))};
  lookAt(flat.parameters, values);
  lookAt(flat.gradParameters, gradients);
  return flat;
}

void Module::visitTensors(const TensorVisitor& visit) {
  output.forEachTensor([&](Tensor& tensor) { visit("output", Role::activation, tensor); });
  gradInput.forEachTensor([&](Tensor& tensor) { visit("gradInput", Role::gradient, tensor); });
}

void Module::forEachModule(const std::function<void(Module&)>& visit) {
  visit(*this);
  for (auto* child : children()) child->forEachModule(visit);
}

Tensor Module::makeTensor(std::string field, DType dtype) const {
  return Tensor(backend().allocator(), std::move(field), dtype);
}

/// Bounds are rounded to float before the draw, as in Torch7; without that, one value in four would
/// differ from Torch7's in its last bit.
void Module::fillUniform(Tensor& tensor, double from, double to) const {
  backend().fillUniform(tensor.elements(), *context_.generator, static_cast<float>(from),
                        static_cast<float>(to), tensor.data<float>());
}

void Module::propagate(const Activity& input) {
  const PassScope scope(path_, Pass::updateOutput, context_.observer.get());
  forgetForward();
  makeParametersContiguous();
  const auto x = contiguous(input);
  updateOutput(x);
  lastInput_.remember(input, x);
}

void Module::propagateGradient(const Activity& input, const Activity& gradOutput) {
  const PassScope scope(path_, Pass::updateGradInput, context_.observer.get());
  requireLastInput(input);
  requireOutputShape(gradOutput);
  updateGradInput(lastInput_.contiguous(input), gradOutput);
}

void Module::accumulate(const Activity& input, const Activity& gradOutput, float scale) {
  const PassScope scope(path_, Pass::accGradParameters, context_.observer.get());
  accGradParameters(lastInput_.contiguous(input), gradOutput, scale);
}

void Module::makeParametersContiguous() {
  visitTensors([](std::string_view, Role role, Tensor& tensor) {
    const bool isKept =
        role == Role::parameter || role == Role::parameterGradient || role == Role::state;
    if (isKept && !tensor.isContiguous()) tensor = tensor.clone();
  });
}

Activity Module::contiguous(const Activity& activity) const {
  const OwnerScope scope(path_);
  return activity.map([this](const Tensor& tensor) {
    if (&tensor.device() != &backend().device()) {
      throw ShapeError(path_, "the module lives on device " +
                                  std::string(backend().device().name()) +
                                  ", got a tensor of size " + tensor.shape().toString() +
                                  " on device " + std::string(tensor.device().name()) +
                                  "; make the tensor with the module's backend");
    }
    return tensor.contiguous();
  });
}

void Module::requireLastInput(const Activity& input) const {
  if (!lastInput_.matches(input)) {
    throw StateError(path_, "backward got an input of size " + input.shapeText() +
                                " that is not the one of the last forward; call forward with this "
                                "very tensor first");
  }
}

void Module::requireOutputShape(const Activity& gradOutput) const {
  if (!gradOutput.hasShapeOf(output)) {
    throw ShapeError(path_, "expected a gradOutput of the output's size " + output.shapeText() +
                                ", got " + gradOutput.shapeText());
  }
}

void Module::setTraining(bool isTraining) {
  if (isTraining) requireNothingShared("training mode");
  forEachModule([isTraining](Module& module) {
    if (module.isTraining_ != isTraining) module.forgetForward();
    module.isTraining_ = isTraining;
  });
}

void Module::setMemorySharing(MemorySharing sharing, bool isGuarded) {
  memorySharing_ = sharing;
  isSharingGuarded_ = isGuarded;
}

void Module::requireNothingShared(const std::string& request) {
  forEachModule([&request](const Module& module) {
    if (module.memorySharing_ == MemorySharing::off || !module.isSharingGuarded_) return;
    const bool isPlan = module.memorySharing_ == MemorySharing::plan;
    throw StateError(
        module.path_,
        request + " is refused while " +
            (isPlan ? "a memory plan is in use" : "workspaces are shared") +
            ": layers overwrite what others left for backward, and gradWeight would be "
            "silently wrong; " +
            (isPlan ? "remove the plan" : "call unshareWorkspaces") +
            " first, and save memory in training with the workspace strategy sample");
  });
}

}  // namespace torchette::nn

#include "layers/container.h"

#include "runtime/errors.h"

namespace torchette::nn {

void Container::adopt(std::unique_ptr<Module> module) {
  for (const auto& other : modules_) {
    if (other->path() != module->path()) continue;
    throw ArgumentError(path(), "there is a module " + other->path() +
                                    " already; bytes are told apart by path, so give the new one "
                                    "another name");
  }
  modules_.push_back(std::move(module));
  forgetForward();
}

Module& Container::get(std::int64_t index) const {
  if (index < 0 || index >= size()) {
    throw ArgumentError(path(), "module " + std::to_string(index) + " was asked of a " + type() +
                                    " that has " + std::to_string(size()) + "; they count from 0");
  }
  return *modules_[static_cast<std::size_t>(index)];
}

std::vector<Module*> Container::children() const {
  std::vector<Module*> result;
  result.reserve(modules_.size());
  for (const auto& module : modules_) result.push_back(module.get());
  return result;
}

void Container::commitForward() {
  for (auto* child : children()) child->commitForward();
}

const Activity& Container::propagate(Module& child, const Activity& input) {
  child.propagate(input);
  return child.output;
}

const Activity& Container::propagateGradient(Module& child, const Activity& input,
                                             const Activity& gradOutput) {
  child.propagateGradient(input, gradOutput);
  return child.gradInput;
}

void Container::accumulate(Module& child, const Activity& input, const Activity& gradOutput,
                           float scale) {
  child.accumulate(input, gradOutput, scale);
}

std::string indented(const std::string& text, const std::string& indentation) {
  std::string result;
  for (const char character : text) {
    result += character;
    if (character == '\n') result += indentation;
  }
  return result;
}

}  // namespace torchette::nn

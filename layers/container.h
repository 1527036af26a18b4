// Container: a module made of modules, which it owns and names.
#pragma once

#include "layers/module.h"

namespace torchette::nn {

class Container : public Module {
 public:
  /// Builds a module of type T under this container's path, extended by `name`, and adds it.
  /// Arguments are those of T's constructor after the context. Throws what adopt() throws.
  template <class T, class... Arguments>
  T& add(std::string_view name, Arguments&&... arguments) {
    const OwnerScope scope(path());
    auto module = build<T>(name, context(), std::forward<Arguments>(arguments)...);
    T& result = *module;
    adopt(std::move(module));
    return result;
  }

  /// The same under Torch7's number: "1" for the first module, "2" for the second, ...
  template <class T, class... Arguments>
  requires(!(std::is_convertible_v<Arguments, std::string_view> ||
             ...)) T& add(Arguments&&... arguments) {
    return add<T>(nextNumber(), std::forward<Arguments>(arguments)...);
  }

  /// Adds a module that was built in this container's owner scope with its context. Throws
  /// ArgumentError if another one in here has its path, and is unchanged then.
  void adopt(std::unique_ptr<Module> module);

  std::int64_t size() const { return static_cast<std::int64_t>(modules_.size()); }
  /// Counts from 0. Throws ArgumentError outside [0, size()).
  Module& get(std::int64_t index) const;

  std::vector<Module*> children() const override;

 protected:
  using Module::Module;

  /// The number that Torch7 would give to the next module.
  std::string nextNumber() const { return std::to_string(size() + 1); }

  void commitForward() override;

  // The verbs of a child, guarded like forward and backward of a whole network.
  static const Activity& propagate(Module& child, const Activity& input);
  static const Activity& propagateGradient(Module& child, const Activity& input,
                                           const Activity& gradOutput);
  static void accumulate(Module& child, const Activity& input, const Activity& gradOutput,
                         float scale);

 private:
  std::vector<std::unique_ptr<Module>> modules_;
};

/// `text` with every line after the first moved right, as Torch7 prints a module inside another.
std::string indented(const std::string& text, const std::string& indentation);

}  // namespace torchette::nn

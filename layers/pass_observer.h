// PassObserver: is told when the modules of a network compute, e.g. for timelines.
#pragma once

#include <memory>
#include <string>

#include "runtime/owner_scope.h"

namespace torchette::nn {

/// Torch7's three verbs. forward() is the first, backward() the other two: each goes through the
/// whole network.
enum class Pass { updateOutput, updateGradInput, accGradParameters };

/// Passes nest as modules do: those of a container's modules lie within its own.
class PassObserver {
 public:
  virtual ~PassObserver() = default;
  virtual void beginPass(const std::string& path, Pass pass) = 0;
  /// Also called when the pass throws.
  virtual void endPass(const std::string& path, Pass pass) noexcept = 0;
};

/// One pass of one module: while it lives, bytes are attributed to the module.
class PassScope {
 public:
  /// `path` must outlive the scope; `observer` may be null.
  PassScope(const std::string& path, Pass pass, PassObserver* observer)
      : owner_(path), path_(path), pass_(pass), observer_(observer) {
    if (observer_ != nullptr) observer_->beginPass(path_, pass_);
  }
  ~PassScope() {
    if (observer_ != nullptr) observer_->endPass(path_, pass_);
  }
  PassScope(const PassScope&) = delete;
  PassScope& operator=(const PassScope&) = delete;

 private:
  OwnerScope owner_;
  const std::string& path_;
  Pass pass_;
  PassObserver* observer_;
};

}  // namespace torchette::nn

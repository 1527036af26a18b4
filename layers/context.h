// Context: what a module needs to be built.
#pragma once

#include <memory>

#include "backends/backend.h"
#include "layers/pass_observer.h"
#include "runtime/generator.h"

namespace torchette::nn {

/// Handed from a network to its modules. All modules of a network share one backend and one random
/// stream, and tell one observer, if there is one, of their passes.
struct Context {
  std::shared_ptr<Backend> backend;
  std::shared_ptr<Generator> generator = std::make_shared<Generator>();
  std::shared_ptr<PassObserver> observer = nullptr;
};

}  // namespace torchette::nn

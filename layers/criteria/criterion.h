// Criterion: a loss, a number computed from a network's output and a target.
#pragma once

#include <string>

#include "layers/backend_move.h"
#include "layers/context.h"
#include "runtime/tensor.h"

namespace torchette::nn {

/// Built like a module, in an owner scope that its bytes are attributed to (see build() in
/// module.h).
class Criterion {
 public:
  Criterion(const Criterion&) = delete;
  Criterion& operator=(const Criterion&) = delete;
  virtual ~Criterion() = default;

  const std::string& path() const { return path_; }
  /// Torch7's class name, e.g. "nn.ClassNLLCriterion".
  virtual std::string type() const = 0;

  /// Computes and returns output. Throws ShapeError or ArgumentError for a target that does not fit
  /// the input.
  double forward(const Tensor& input, const Tensor& target);
  /// Computes and returns gradInput, shaped like input: the derivative of output.
  const Tensor& backward(const Tensor& input, const Tensor& target);

  /// Moves to another backend; gradInput is cleared. If it throws, nothing has changed.
  void to(const std::shared_ptr<Backend>& backend);
  /// The same as part of a larger move.
  virtual void joinMove(BackendMove& move);

  double output = 0;
  Tensor gradInput;

 protected:
  explicit Criterion(Context context);

  Backend& backend() const { return *context_.backend; }
  const Context& context() const { return context_; }

  /// Input and target are contiguous.
  virtual void requireTarget(const Tensor& input, const Tensor& target) const = 0;
  virtual double computeOutput(const Tensor& input, const Tensor& target) = 0;
  /// gradInput has the input's shape.
  virtual void computeGradInput(const Tensor& input, const Tensor& target) = 0;

 private:
  Context context_;
  std::string path_;
};

}  // namespace torchette::nn

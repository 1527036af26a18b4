// Optimizer: moves a flat parameter vector against its gradient, as in Torch7's optim.
#pragma once

#include <string>
#include <string_view>

#include "layers/context.h"
#include "layers/module.h"

namespace torchette::optim {

/// State tensors are attributed to the owner path() and made by the first step.
class Optimizer {
 public:
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;
  virtual ~Optimizer() = default;

  /// "sgd", "adam"
  virtual std::string_view name() const = 0;
  const std::string& path() const { return path_; }

  /// One step. Both are contiguous vectors of one length, the same at each step; weight decay
  /// changes the gradient in place. Throws ShapeError otherwise; on any error nothing has moved.
  void step(const Tensor& parameters, const Tensor& gradient);

  /// Moves the state to another backend. If it throws, nothing has changed.
  void to(const std::shared_ptr<Backend>& backend);
  /// The same as part of a larger move.
  void joinMove(nn::BackendMove& move);

  /// Steps taken so far.
  std::int64_t evalCounter() const { return evalCounter_; }
  /// For continuing from a checkpoint, together with the state tensors.
  void setEvalCounter(std::int64_t steps) { evalCounter_ = steps; }
  /// Names each state tensor; they are empty before the first step.
  virtual void visitTensors(const nn::TensorVisitor& visit) = 0;

 protected:
  explicit Optimizer(nn::Context context);

  Backend& backend() const { return *context_.backend; }
  Tensor makeTensor(std::string field) const;
  virtual void update(const Tensor& parameters, const Tensor& gradient) = 0;

 private:
  void requireLengthOfState(const Tensor& parameters);

  nn::Context context_;
  std::string path_;
  std::int64_t evalCounter_ = 0;
};

}  // namespace torchette::optim

// Dropout: zeroes elements at random while training.
#pragma once

#include "layers/module.h"

namespace torchette::nn {

/// Training multiplies by noise that is 0 with probability p, else 1 / (1 - p); evaluation copies.
/// In version 1, noise is 0 or 1 and evaluation multiplies by 1 - p.
class Dropout final : public Module {
 public:
  /// Arguments in Torch7's order. Throws ArgumentError unless 0 <= p < 1.
  explicit Dropout(Context context, double p = 0.5, bool v1 = false, bool inplace = false);

  std::string type() const override { return "nn.Dropout"; }
  std::string description() const override;
  void visitTensors(const TensorVisitor& visit) override;

  Tensor noise;  ///< shaped like the input

 protected:
  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;

 private:
  void drawNoise(const Shape& shape);
  /// result = x times noise (training) or the constant of evaluation; in place, result becomes x.
  void apply(const Tensor& x, Tensor& result) const;

  double p_;
  bool v1_, inplace_;
};

}  // namespace torchette::nn

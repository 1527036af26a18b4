// SoftMax and LogSoftMax: probabilities, or their logarithms, over the classes.
#pragma once

#include "layers/module.h"

namespace torchette::nn {

/// Common base. The classes are dimension 0 of a 1-D or 3-D input, dimension 1 of a 2-D or 4-D
/// input; other ranks throw ShapeError.
class SoftMaxBase : public Module {
 protected:
  explicit SoftMaxBase(Context context) : Module(std::move(context)) {}

  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;

  virtual void compute(const SoftMaxGeometry& geometry, const float* x, float* y) = 0;
  virtual void computeGradient(const SoftMaxGeometry& geometry, const float* y, const float* dy,
                               float* dx) = 0;
};

/// exp(x) / sum of exp(x)
class SoftMax final : public SoftMaxBase {
 public:
  explicit SoftMax(Context context) : SoftMaxBase(std::move(context)) {}
  std::string type() const override { return "nn.SoftMax"; }

 protected:
  void compute(const SoftMaxGeometry& geometry, const float* x, float* y) override;
  void computeGradient(const SoftMaxGeometry& geometry, const float* y, const float* dy,
                       float* dx) override;
};

/// x - log of the sum of exp(x)
class LogSoftMax final : public SoftMaxBase {
 public:
  explicit LogSoftMax(Context context) : SoftMaxBase(std::move(context)) {}
  std::string type() const override { return "nn.LogSoftMax"; }

 protected:
  void compute(const SoftMaxGeometry& geometry, const float* x, float* y) override;
  void computeGradient(const SoftMaxGeometry& geometry, const float* y, const float* dy,
                       float* dx) override;
};

}  // namespace torchette::nn

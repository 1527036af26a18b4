// Adam: steps scaled by running moments of the gradient. Source: Torch7 optim/adam.lua.
#pragma once

#include "layers/optim/optimizer.h"

namespace torchette::optim {

struct AdamConfig {
  double learningRate = 1e-3;
  double learningRateDecay = 0;  ///< step t (from 0) uses learningRate / (1 + t learningRateDecay)
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weightDecay = 0;
};

class Adam final : public Optimizer {
 public:
  /// Throws ArgumentError for negative values and for betas of 1 or more.
  Adam(nn::Context context, const AdamConfig& config);

  std::string_view name() const override { return "adam"; }
  void visitTensors(const nn::TensorVisitor& visit) override;

  Tensor m, v;  ///< exponential averages of the gradient and of its square

 protected:
  void update(const Tensor& parameters, const Tensor& gradient) override;

 private:
  AdamConfig config_;
};

}  // namespace torchette::optim

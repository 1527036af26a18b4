// Sgd: stochastic gradient descent with momentum. Source: Torch7 optim/sgd.lua.
#pragma once

#include <optional>

#include "layers/optim/optimizer.h"

namespace torchette::optim {

struct SgdConfig {
  double learningRate = 1e-3;
  double learningRateDecay = 0;  ///< step t (from 0) uses learningRate / (1 + t learningRateDecay)
  double weightDecay = 0;
  double momentum = 0;
  std::optional<double> dampening = std::nullopt;  ///< Torch7's default: the momentum
  bool nesterov = false;                           ///< needs momentum > 0 and dampening 0
};

class Sgd final : public Optimizer {
 public:
  /// Throws ArgumentError for nesterov without momentum or with dampening, and for negative values.
  Sgd(nn::Context context, const SgdConfig& config);

  std::string_view name() const override { return "sgd"; }
  void visitTensors(const nn::TensorVisitor& visit) override;

  Tensor dfdx;  ///< the moving gradient; stays empty without momentum

 protected:
  void update(const Tensor& parameters, const Tensor& gradient) override;

 private:
  SgdConfig config_;
};

}  // namespace torchette::optim

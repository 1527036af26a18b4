#include "layers/optim/sgd.h"

#include "runtime/errors.h"

namespace torchette::optim {

Sgd::Sgd(nn::Context context, const SgdConfig& config)
    : Optimizer(std::move(context)), dfdx(makeTensor("dfdx")), config_(config) {
  const double dampening = config.dampening.value_or(config.momentum);
  if (config.learningRate < 0 || config.learningRateDecay < 0 || config.weightDecay < 0 ||
      config.momentum < 0 || dampening < 0) {
    throw ArgumentError(path(), "a setting of sgd is negative; all must be at least 0");
  }
  if (config.nesterov && (config.momentum == 0 || dampening != 0)) {
    throw ArgumentError(path(), "nesterov needs a momentum above 0 and a dampening of 0");
  }
}

void Sgd::visitTensors(const nn::TensorVisitor& visit) { visit("dfdx", nn::Role::state, dfdx); }

void Sgd::update(const Tensor& parameters, const Tensor& gradient) {
  const auto t = static_cast<double>(evalCounter());
  const bool isFirst = dfdx.isEmpty();
  if (config_.momentum != 0) dfdx.resize(parameters.shape());
  const double learningRate = config_.learningRate / (1 + t * config_.learningRateDecay);
  const double dampening = config_.dampening.value_or(config_.momentum);
  backend().sgdStep({.elements = parameters.elements(),
                     .learningRate = static_cast<float>(learningRate),
                     .weightDecay = static_cast<float>(config_.weightDecay),
                     .momentum = config_.momentum,
                     .dampening = dampening,
                     .nesterov = config_.nesterov,
                     .isFirst = isFirst},
                    parameters.data<float>(), gradient.data<float>(), dfdx.data<float>());
}

}  // namespace torchette::optim

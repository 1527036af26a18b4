#include "layers/optim/adam.h"

#include <cmath>

#include "runtime/errors.h"

namespace torchette::optim {

Adam::Adam(nn::Context context, const AdamConfig& config)
    : Optimizer(std::move(context)), m(makeTensor("m")), v(makeTensor("v")), config_(config) {
  const auto isFraction = [](double value) { return value >= 0 && value < 1; };
  if (config.learningRate < 0 || config.learningRateDecay < 0 || config.weightDecay < 0 ||
      config.epsilon < 0 || !isFraction(config.beta1) || !isFraction(config.beta2)) {
    throw ArgumentError(path(),
                        "a setting of adam is out of range; all must be at least 0 and the "
                        "betas below 1");
  }
}

void Adam::visitTensors(const nn::TensorVisitor& visit) {
  visit("m", nn::Role::state, m);
  visit("v", nn::Role::state, v);
}

void Adam::update(const Tensor& parameters, const Tensor& gradient) {
  if (v.isEmpty()) {
    for (auto* moment : {&m, &v}) moment->resize(parameters.shape());
    for (auto* moment : {&m, &v}) moment->zero();
  }
  const auto t = static_cast<double>(evalCounter());
  const double learningRate = config_.learningRate / (1 + t * config_.learningRateDecay);
  const double correction1 = 1 - std::pow(config_.beta1, t + 1);
  const double correction2 = 1 - std::pow(config_.beta2, t + 1);
  backend().adamStep(
      {.elements = parameters.elements(),
       .stepSize = static_cast<float>(learningRate * std::sqrt(correction2) / correction1),
       .beta1 = config_.beta1,
       .beta2 = config_.beta2,
       .epsilon = static_cast<float>(config_.epsilon),
       .weightDecay = static_cast<float>(config_.weightDecay)},
      parameters.data<float>(), gradient.data<float>(), m.data<float>(), v.data<float>());
}

}  // namespace torchette::optim

// Making optimizers and targets from golden files.
#include "tests/layers/golden_training.h"

#include "layers/optim/adam.h"
#include "layers/optim/sgd.h"

namespace torchette::testing {

namespace {

using nlohmann::json;

std::unique_ptr<optim::Optimizer> makeSgd(const nn::Context& context, const json& config) {
  optim::SgdConfig sgd;
  sgd.learningRate = config.value("learningRate", sgd.learningRate);
  sgd.learningRateDecay = config.value("learningRateDecay", sgd.learningRateDecay);
  sgd.weightDecay = config.value("weightDecay", sgd.weightDecay);
  sgd.momentum = config.value("momentum", sgd.momentum);
  if (config.contains("dampening")) sgd.dampening = config.at("dampening").get<double>();
  sgd.nesterov = config.value("nesterov", sgd.nesterov);
  return nn::build<optim::Sgd>("sgd", context, sgd);
}

std::unique_ptr<optim::Optimizer> makeAdam(const nn::Context& context, const json& config) {
  optim::AdamConfig adam;
  adam.learningRate = config.value("learningRate", adam.learningRate);
  adam.learningRateDecay = config.value("learningRateDecay", adam.learningRateDecay);
  adam.weightDecay = config.value("weightDecay", adam.weightDecay);
  adam.beta1 = config.value("beta1", adam.beta1);
  adam.beta2 = config.value("beta2", adam.beta2);
  adam.epsilon = config.value("epsilon", adam.epsilon);
  return nn::build<optim::Adam>("adam", context, adam);
}

}  // namespace

std::unique_ptr<optim::Optimizer> goldenOptimizer(const nn::Context& context, const json& trace) {
  const auto& config = trace.at("config");
  const bool isAdam = trace.value("optimizer", "optim.sgd") == "optim.adam";
  return isAdam ? makeAdam(context, config) : makeSgd(context, config);
}

std::vector<std::int64_t> goldenClasses(const json& list) {
  std::vector<std::int64_t> classes;
  for (const auto& label : list) classes.push_back(label.get<std::int64_t>() - 1);
  return classes;
}

}  // namespace torchette::testing

// Optimizers by name, with the settings of the options.
#include "examples/training/optimizer_choice.h"

#include <doctest/doctest.h>

#include "layers/optim/adam.h"
#include "tests/support/test_backend.h"

namespace torchette::training {

namespace {

constexpr const char* names[] = {"sgd", "adam"};

TrainingOptions optionsFor(const std::string& optimizer) {
  TrainingOptions options;
  options.optimizer = optimizer;
  options.learningRate = 0.5;
  options.learningRateDecay = 1;
  options.weightDecay = 0.25;
  if (optimizer == "sgd") options.momentum = 0.5;
  return options;
}

/// Where two steps with a gradient of 1 lead from 1.
float afterTwoSteps(optim::Optimizer& optimizer, Backend& backend) {
  const auto parameters = testing::tensor(backend, {1}, {1});
  for (int step = 0; step < 2; ++step) {
    optimizer.step(parameters, testing::tensor(backend, {1}, {1}));
  }
  return parameters.values<float>()[0];
}

}  // namespace

TEST_CASE("the optimizer of a training run is named and owns its bytes as optim") {
  const nn::Context context{testing::cpuBackend()};
  for (const char* name : names) {
    const auto optimizer = makeOptimizer(context, optionsFor(name));
    CHECK(optimizer->name() == name);
    CHECK(optimizer->path() == "optim");
  }
}

TEST_CASE("sgd takes all settings and does not dampen") {
  const nn::Context context{testing::cpuBackend()};
  const auto sgd = makeOptimizer(context, optionsFor("sgd"));
  // Step 1: velocity 1 + 0.25, rate 0.5. Step 2: velocity 0.625 + 1 + 0.25 * 0.375, rate 0.25.
  CHECK(afterTwoSteps(*sgd, *context.backend) == 0.375f - 0.25f * (0.625f + 1 + 0.25f * 0.375f));
}

TEST_CASE("adam takes all settings") {
  const nn::Context context{testing::cpuBackend()};
  const auto adam = makeOptimizer(context, optionsFor("adam"));
  const auto expected = nn::build<optim::Adam>(
      "expected", context,
      optim::AdamConfig{.learningRate = 0.5, .learningRateDecay = 1, .weightDecay = 0.25});
  CHECK(afterTwoSteps(*adam, *context.backend) == afterTwoSteps(*expected, *context.backend));
}

}  // namespace torchette::training

// Training on a GPU follows training on the CPU.
#include <doctest/doctest.h>

#include "layers/criteria/class_nll_criterion.h"
#include "layers/models/built_in.h"
#include "layers/optim/sgd.h"
#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

constexpr std::int64_t batch = 4, steps = 50;

/// The losses of LeNet on images of stripes, whose class says how wide they are.
std::vector<double> lossesOfLenet(const std::shared_ptr<Backend>& backend) {
  const auto context = contextOn(backend, 3);
  const auto network = nn::build<nn::Sequential>("net", context);
  nn::findBuiltInModel("lenet")->addModules(*network);
  nn::ClassNLLCriterion criterion(context);
  optim::Sgd optimizer(context, {.learningRate = 0.05, .momentum = 0.9});
  const auto [parameters, gradParameters] = network->getParameters();
  std::vector<double> losses;
  for (std::int64_t step = 0; step < steps; ++step) {
    auto pixels = randomValues(batch * 28 * 28, static_cast<std::uint32_t>(step + 1));
    std::vector<std::int64_t> classes;
    for (std::int64_t sample = 0; sample < batch; ++sample) {
      classes.push_back((step + 3 * sample) % 10);
      for (std::int64_t i = 0; i < 28 * 28; ++i) {
        pixels[sample * 28 * 28 + i] += i / (classes.back() + 1) % 2 == 0 ? 1.0F : -1.0F;
      }
    }
    const auto input = tensor(*backend, {batch, 1, 28, 28}, pixels);
    const auto target = Tensor::fromValues(backend->allocator(), {batch}, classes);
    network->zeroGradParameters();
    const auto& output = network->forward(input).tensor();
    losses.push_back(criterion.forward(output, target));
    network->backward(input, criterion.backward(output, target));
    optimizer.step(parameters, gradParameters);
  }
  return losses;
}

}  // namespace

TEST_CASE("LeNet trained on a GPU has the losses that it has on the CPU") {
  static const auto expected = lossesOfLenet(cpuBackend());
  CHECK(expected.back() < expected.front());
  FOR_EACH_GPU_BACKEND(backend) {
    const auto actual = lossesOfLenet(backend);
    for (std::size_t step = 0; step < expected.size(); ++step) {
      CAPTURE(step);
      CHECK(actual[step] == doctest::Approx(expected[step]).epsilon(1e-4).scale(0));
    }
  }
}

}  // namespace torchette::testing

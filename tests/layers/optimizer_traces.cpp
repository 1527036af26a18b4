// Optimizers take the steps that Torch7's optim took, on a quadratic and on a small network.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "layers/criteria/class_nll_criterion.h"
#include "tests/layers/golden_case.h"
#include "tests/layers/golden_training.h"
#include "tests/support/golden.h"

namespace torchette::testing {

namespace {

using nlohmann::json;

/// A x - b, the gradient of 0.5 x^T A x - b^T x, summed in double.
std::vector<float> quadraticGradient(const std::vector<float>& a, const std::vector<float>& b,
                                     const std::vector<float>& x) {
  std::vector<float> gradient;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = -b[i];
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum += static_cast<double>(a[i * x.size() + j]) * static_cast<double>(x[j]);
    }
    gradient.push_back(static_cast<float>(sum));
  }
  return gradient;
}

void checkQuadraticTrace(const std::shared_ptr<Backend>& backend, const json& problem,
                         const json& trace) {
  INFO("trace ", trace.at("name").get<std::string>());
  const auto a = goldenFloats(problem.at("A").at("data"));
  const auto b = goldenFloats(problem.at("b").at("data"));
  const auto optimizer = goldenOptimizer(contextOn(backend), trace);
  const auto x = goldenTensor(backend->allocator(), problem.at("x0"));
  for (const auto& step : trace.at("steps")) {
    INFO("step ", step.at("step").get<int>());
    const auto values = quadraticGradient(a, b, valuesOf(x));
    const auto gradient = tensor(*backend, x.shape(), values);
    optimizer->step(x, gradient);
    CHECK(optimizer->evalCounter() == step.at("step").get<std::int64_t>());
    checkGolden(x, step.at("x"));
  }
}

/// Each within 1e-5 of the largest. Adam divides a gradient by its size, so where the samples'
/// gradients nearly cancel, the rounding of their sum, which Torch7 makes in float, becomes part of
/// the step.
void checkParameters(const std::vector<float>& actual, const std::vector<float>& expected) {
  REQUIRE(actual.size() == expected.size());
  double largest = 0, deviation = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
    deviation = std::max(
        deviation, std::abs(static_cast<double>(actual[i]) - static_cast<double>(expected[i])));
  }
  CHECK(deviation <= goldenTolerance * largest);
}

void checkNetworkTrace(const std::shared_ptr<Backend>& backend, const json& problem,
                       const json& trace) {
  INFO("trace ", trace.at("name").get<std::string>());
  const auto context = contextOn(backend);
  const auto network =
      moduleOn(backend, "nn.Linear(4,6); nn.Tanh(); nn.Linear(6,3); nn.LogSoftMax()");
  const auto criterion = nn::build<nn::ClassNLLCriterion>("criterion", context);
  const auto optimizer = goldenOptimizer(context, trace);
  const auto input = goldenTensor(backend->allocator(), problem.at("X"));
  const auto target = Tensor::fromValues(backend->allocator(), {input.size(0)},
                                         goldenClasses(problem.at("Y").at("data")));
  const auto [parameters, gradParameters] = network->getParameters();
  parameters.copyFrom(goldenTensor(backend->allocator(), problem.at("params0")));
  for (const auto& step : trace.at("steps")) {
    INFO("step ", step.at("step").get<int>());
    network->zeroGradParameters();
    const auto& output = network->forward(input).tensor();
    const double loss = criterion->forward(output, target);
    network->backward(input, criterion->backward(output, target));
    optimizer->step(parameters, gradParameters);
    const double expectedLoss = step.at("loss_before");
    CHECK(loss == doctest::Approx(expectedLoss).epsilon(goldenTolerance).scale(0));
    checkParameters(valuesOf(parameters), goldenFloats(step.at("params").at("data")));
  }
}

}  // namespace

TEST_CASE("optimizers minimise a quadratic step by step as Torch7 did") {
  FOR_EACH_BACKEND(backend) {
    const auto problem = loadGolden("optim_quadratic.json");
    CHECK(problem.at("traces").size() == 12);
    for (const auto& trace : problem.at("traces")) checkQuadraticTrace(backend, problem, trace);
  }
}

TEST_CASE("optimizers train a network step by step as Torch7 did") {
  FOR_EACH_BACKEND(backend) {
    const auto problem = loadGolden("optim_mlp.json");
    CHECK(problem.at("traces").size() == 6);
    for (const auto& trace : problem.at("traces")) checkNetworkTrace(backend, problem, trace);
  }
}

}  // namespace torchette::testing

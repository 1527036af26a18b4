// Non-linearities and their derivatives.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/backends/operands.h"

namespace torchette::testing {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const Activation relu{.kind = Activation::Kind::threshold};
const Activation threshold{.kind = Activation::Kind::threshold, .threshold = 0.5F, .value = -2};
const Activation leakyRelu{.kind = Activation::Kind::leakyRelu, .negativeSlope = 0.2F};
const Activation tanhActivation{.kind = Activation::Kind::tanh};
const Activation sigmoid{.kind = Activation::Kind::sigmoid};

double evaluate(const Activation& activation, double x) {
  switch (activation.kind) {
    case Activation::Kind::threshold:
      return x > static_cast<double>(activation.threshold) ? x : activation.value;
    case Activation::Kind::leakyRelu:
      return x > 0 ? x : static_cast<double>(activation.negativeSlope) * x;
    case Activation::Kind::tanh:
      return std::tanh(x);
    default:
      return 1 / (1 + std::exp(-x));
  }
}

double derivative(const Activation& activation, double x) {
  const double y = evaluate(activation, x);
  switch (activation.kind) {
    case Activation::Kind::threshold:
      return x > static_cast<double>(activation.threshold) ? 1 : 0;
    case Activation::Kind::leakyRelu:
      return x > 0 ? 1 : static_cast<double>(activation.negativeSlope);
    case Activation::Kind::tanh:
      return 1 - y * y;
    default:
      return y * (1 - y);
  }
}

/// Numbers of both signs, from tiny to beyond saturation.
std::vector<float> arguments() {
  auto values = randomValues(40001, 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] *= std::pow(10.0F, static_cast<float>(i % 9) - 6);
  }
  values.insert(values.end(), {0, 100, -100, 1e-30F, infinity, -infinity, 9, -9});
  return values;
}

/// Fails unless each value is within `relative` of its own reference; `absolute` is for those near
/// 0.
void checkEach(const std::vector<float>& actual, const std::vector<float>& expected,
               double relative, double absolute) {
  double worst = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    const double error = std::abs(static_cast<double>(actual[i]) - expected[i]);
    worst = std::max(worst, error / (absolute + relative * std::abs(expected[i])));
  }
  CHECK(worst <= 1);
}

}  // namespace

TEST_CASE("activations are accurate to a few units in the last place for all arguments") {
  FOR_EACH_BACKEND(backend) {
    const auto values = arguments();
    const std::int64_t count = static_cast<std::int64_t>(values.size());
    const Tensor x = tensor(*backend, {count}, values);
    for (const auto& activation : {relu, threshold, leakyRelu, tanhActivation, sigmoid}) {
      const Tensor y = room(*backend, {count});
      backend->activate(activation, count, at(x), at(y));
      const auto expected =
          mapped(values, [&](double value) { return evaluate(activation, value); });
      checkEach(valuesOf(y), expected, 4e-7, 1e-37);
    }
  }
}

TEST_CASE("activations work in place") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& activation : {relu, threshold, leakyRelu, tanhActivation, sigmoid}) {
      const Tensor x = randomTensor(*backend, {1000}, 1);
      const Tensor y = room(*backend, {1000});
      backend->activate(activation, 1000, at(x), at(y));
      backend->activate(activation, 1000, at(x), at(x));
      CHECK(valuesOf(x) == valuesOf(y));
    }
  }
}

TEST_CASE("rectifiers send zero and negative numbers where they belong") {
  FOR_EACH_BACKEND(backend) {
    const Tensor x = tensor(*backend, {4}, {-2, 0, 3, -infinity});
    const Tensor y = room(*backend, {4});
    backend->activate(relu, 4, at(x), at(y));
    CHECK(valuesOf(y) == std::vector<float>{0, 0, 3, 0});
    backend->activate(leakyRelu, 3, at(x), at(y));
    CHECK(valuesOf(y) == std::vector<float>{-2 * 0.2F, 0, 3, 0});
  }
}

TEST_CASE("relu turns NaN into zero and the smooth activations keep it") {
  FOR_EACH_BACKEND(backend) {
    const Tensor x = room(*backend, {9});
    const Tensor y = room(*backend, {9});
    backend->activate(relu, 9, at(x), at(y));
    CHECK(valuesOf(y) == std::vector<float>(9, 0.0F));
    for (const auto& activation : {tanhActivation, sigmoid}) {
      backend->activate(activation, 9, at(x), at(y));
      for (const float value : valuesOf(y)) CHECK(std::isnan(value));
    }
  }
}

TEST_CASE("activation gradients are the derivatives times gradOutput") {
  FOR_EACH_BACKEND(backend) {
    constexpr std::int64_t count = 40001;
    for (const auto& activation : {relu, threshold, leakyRelu, tanhActivation, sigmoid}) {
      const Tensor x = randomTensor(*backend, {count}, 1);
      const Tensor y = room(*backend, {count});
      const Tensor gradOutput = randomTensor(*backend, {count}, 2);
      const Tensor gradInput = room(*backend, {count});
      backend->activate(activation, count, at(x), at(y));
      const Tensor& reference = activation.backwardReadsOutput() ? y : x;
      backend->activateBackward(activation, count, at(reference), at(gradOutput), at(gradInput));
      auto expected =
          mapped(valuesOf(x), [&](double value) { return derivative(activation, value); });
      const auto gradients = valuesOf(gradOutput);
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] *= gradients[i];
      checkClose(valuesOf(gradInput), expected, 1e-5);
    }
  }
}

TEST_CASE("activation gradients work in place and rectifiers may look at the output") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& activation : {relu, threshold, leakyRelu}) {
      const Tensor x = randomTensor(*backend, {1000}, 1);
      const Tensor y = room(*backend, {1000});
      const Tensor gradOutput = randomTensor(*backend, {1000}, 2);
      const Tensor gradInput = room(*backend, {1000});
      backend->activate(activation, 1000, at(x), at(y));
      backend->activateBackward(activation, 1000, at(x), at(gradOutput), at(gradInput));
      backend->activateBackward(activation, 1000, at(y), at(gradOutput), at(gradOutput));
      CHECK(valuesOf(gradOutput) == valuesOf(gradInput));
    }
  }
}

}  // namespace torchette::testing

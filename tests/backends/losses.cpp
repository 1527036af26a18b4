// Loss functions.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/backends/operands.h"
#include "tests/support/naive.h"

namespace torchette::testing {

namespace {

constexpr auto meanSquared = PairLoss::Kind::meanSquared;
constexpr auto binaryCrossEntropy = PairLoss::Kind::binaryCrossEntropy;

/// Uniform in [0, 1).
std::vector<float> probabilities(std::int64_t count, std::uint32_t seed) {
  return mapped(randomValues(count, seed), [](double value) { return (value + 1) / 2; });
}

/// Weights are repeated; none if empty.
double pairLossInDouble(PairLoss::Kind kind, const std::vector<float>& input,
                        const std::vector<float>& target, const std::vector<float>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const double x = input[i];
    const double t = target[i];
    const double weight = weights.empty() ? 1.0 : weights[i % weights.size()];
    const double crossEntropy =
        -(std::log(x + 1e-12) * t + std::log(1 - x + 1e-12) * (1 - t)) * weight;
    sum += kind == meanSquared ? (x - t) * (x - t) : crossEntropy;
  }
  return sum;
}

}  // namespace

TEST_CASE("the negative log-likelihood sums the weighted outputs of the targets") {
  FOR_EACH_BACKEND(backend) {
    const Tensor input = tensor(*backend, {3, 2}, {-1, -2, -3, -4, -5, -6});
    const Tensor targets = indexTensor(*backend, {1, 0, 1});
    const Tensor weights = tensor(*backend, {2}, {0.5F, 2});
    ClassNll loss{.samples = 3, .classes = 2, .targets = targets.data<std::int64_t>()};
    const WeightedSum plain = backend->classNll(loss, at(input));
    CHECK(plain.sum == 2 + 3 + 6);
    CHECK(plain.weight == 3);
    loss.weights = at(weights);
    const WeightedSum weighted = backend->classNll(loss, at(input));
    CHECK(weighted.sum == 2 * 2 + 0.5 * 3 + 2 * 6);
    CHECK(weighted.weight == 4.5);
  }
}

TEST_CASE("the gradient of the negative log-likelihood is zero except at the targets") {
  FOR_EACH_BACKEND(backend) {
    const Tensor targets = indexTensor(*backend, {2, 0});
    const Tensor weights = tensor(*backend, {3}, {0.5F, 1, 2});
    const Tensor gradInput = room(*backend, {2, 3});
    ClassNll loss{.samples = 2, .classes = 3, .targets = targets.data<std::int64_t>()};
    backend->classNllBackward(loss, 0.25F, at(gradInput));
    CHECK(valuesOf(gradInput) == std::vector<float>{0, 0, -0.25F, -0.25F, 0, 0});
    loss.weights = at(weights);
    backend->classNllBackward(loss, 0.25F, at(gradInput));
    CHECK(valuesOf(gradInput) == std::vector<float>{0, 0, -0.5F, -0.125F, 0, 0});
  }
}

TEST_CASE("pair losses agree with the reference with and without weights") {
  FOR_EACH_BACKEND(backend) {
    const Tensor weights = tensor(*backend, {7}, probabilities(7, 3));
    for (const std::int64_t count : {0, 7, 70, 2100, 300006}) {
      const Tensor input = tensor(*backend, {count}, probabilities(count, 1));
      const Tensor target = tensor(*backend, {count}, probabilities(count, 2));
      const auto check = [&](PairLoss loss, const std::vector<float>& weightsOrNone) {
        loss.elements = count;
        const double expected =
            pairLossInDouble(loss.kind, valuesOf(input), valuesOf(target), weightsOrNone);
        CHECK(backend->pairLoss(loss, at(input), at(target)) ==
              doctest::Approx(expected).epsilon(1e-9));
      };
      check({.kind = meanSquared}, {});
      check({.kind = binaryCrossEntropy}, {});
      check({.kind = binaryCrossEntropy, .weights = at(weights), .rowElements = 7},
            valuesOf(weights));
    }
  }
}

TEST_CASE("pair loss gradients are the scaled derivatives") {
  FOR_EACH_BACKEND(backend) {
    constexpr std::int64_t count = 60;
    const Tensor weights = tensor(*backend, {5}, probabilities(5, 3));
    // Away from 0 and 1, where numeric derivatives of the logarithm are good.
    const auto inputs =
        mapped(probabilities(count, 1), [](double value) { return 0.2 + 0.6 * value; });
    const Tensor input = tensor(*backend, {count}, inputs);
    const Tensor target = tensor(*backend, {count}, probabilities(count, 2));
    const Tensor gradInput = room(*backend, {count});
    const auto check = [&](const PairLoss& loss, const std::vector<float>& weightsOrNone) {
      backend->pairLossBackward(loss, 0.5F, at(input), at(target), at(gradInput));
      const auto lossOf = [&](const std::vector<float>& x) {
        return 0.5 * pairLossInDouble(loss.kind, x, valuesOf(target), weightsOrNone);
      };
      checkClose(valuesOf(gradInput), naive::numericGradient(lossOf, inputs), 1e-3);
    };
    check({.kind = meanSquared, .elements = count}, {});
    check({.kind = binaryCrossEntropy, .elements = count}, {});
    check({.kind = binaryCrossEntropy, .elements = count, .weights = at(weights), .rowElements = 5},
          valuesOf(weights));
  }
}

TEST_CASE("pair loss gradients find their weights in every part of a large array") {
  FOR_EACH_BACKEND(backend) {
    constexpr std::int64_t count = 40003;
    const std::vector<float> weights{1, 2, 3, 4, 5, 6, 7};
    const Tensor weightTensor = tensor(*backend, {7}, weights);
    const Tensor input = tensor(*backend, {count}, std::vector<float>(count, 0.5F));
    const Tensor target = tensor(*backend, {count}, std::vector<float>(count, 1.0F));
    const Tensor gradInput = room(*backend, {count});
    backend->pairLossBackward({.kind = binaryCrossEntropy,
                               .elements = count,
                               .weights = at(weightTensor),
                               .rowElements = 7},
                              1, at(input), at(target), at(gradInput));
    std::vector<float> expected(count);
    for (std::int64_t i = 0; i < count; ++i) expected[i] = -2 * weights[i % 7];
    checkClose(valuesOf(gradInput), expected, 1e-6);
  }
}

TEST_CASE("binary cross-entropy stays finite at certainty") {
  FOR_EACH_BACKEND(backend) {
    const Tensor input = tensor(*backend, {4}, {0, 1, 0, 1});
    const Tensor target = tensor(*backend, {4}, {0, 1, 1, 0});
    const Tensor gradInput = room(*backend, {4});
    const PairLoss loss{.kind = binaryCrossEntropy, .elements = 4};
    CHECK(backend->pairLoss(loss, at(input), at(target)) ==
          doctest::Approx(-2 * std::log(1e-12)).epsilon(1e-6));
    backend->pairLossBackward(loss, 1, at(input), at(target), at(gradInput));
    checkClose(valuesOf(gradInput), {0, 0, -1e12F, 1e12F}, 1e-4);
  }
}

TEST_CASE("losses do not depend on the number of lanes") {
  constexpr std::int64_t count = 300001;
  const auto inputs = probabilities(count, 1);
  const auto targets = probabilities(count, 2);
  for (const auto kind : {meanSquared, binaryCrossEntropy}) {
    double expected = 0;
    for (const int lanes : {1, 2, 3, 5}) {
      const auto backend = cpuBackend(lanes);
      const Tensor input = tensor(*backend, {count}, inputs);
      const Tensor target = tensor(*backend, {count}, targets);
      const PairLoss loss{.kind = kind, .elements = count};
      const double sum = backend->pairLoss(loss, at(input), at(target));
      if (lanes == 1) expected = sum;
      CHECK(sum == expected);
    }
  }
}

}  // namespace torchette::testing

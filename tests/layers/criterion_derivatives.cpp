// Backward of every criterion computes the derivative of its forward.
#include <doctest/doctest.h>

#include "layers/criteria/bce_criterion.h"
#include "layers/criteria/cross_entropy_criterion.h"
#include "layers/criteria/mse_criterion.h"
#include "tests/layers/derivative_check.h"

namespace torchette::testing {

namespace {

/// Central differences of the criterion's output, which is a double, by each input element.
void checkGradient(Backend& backend, nn::Criterion& criterion, const Shape& shape,
                   std::vector<float> values, const Tensor& target) {
  const float step = 1.0F / 256;
  const auto gradient = valuesOf(criterion.backward(tensor(backend, shape, values), target));
  std::vector<float> expected;
  for (auto& value : values) {
    const float original = value;
    value = original + step;
    const double above = criterion.forward(tensor(backend, shape, values), target);
    value = original - step;
    const double below = criterion.forward(tensor(backend, shape, values), target);
    value = original;
    expected.push_back(static_cast<float>((above - below) / (2.0 * static_cast<double>(step))));
  }
  checkClose(gradient, expected, 1e-3);
}

/// In [0.2, 0.8], as probabilities are.
std::vector<float> probabilities(std::int64_t elements, std::uint32_t seed) {
  auto values = randomValues(elements, seed);
  for (auto& value : values) value = 0.5F + 0.3F * value;
  return values;
}

Tensor classes(Backend& backend) {
  return Tensor::fromValues<std::int64_t>(backend.allocator(), {3}, {2, 0, 3});
}

}  // namespace

TEST_CASE("backward of the class criteria computes their derivatives") {
  FOR_EACH_BACKEND(backend) {
    const auto context = contextOn(backend);
    for (const bool sizeAverage : {true, false}) {
      for (const auto& weights :
           {std::vector<float>{}, std::vector<float>{0.5F, 1.0F, 2.0F, 0.25F}}) {
        CAPTURE(sizeAverage);
        CAPTURE(weights.size());
        nn::ClassNLLCriterion nll(context, weights, sizeAverage);
        checkGradient(*backend, nll, {3, 4}, randomValues(12, 1), classes(*backend));
        nn::CrossEntropyCriterion crossEntropy(context, weights, sizeAverage);
        checkGradient(*backend, crossEntropy, {3, 4}, randomValues(12, 2), classes(*backend));
      }
    }
  }
}

TEST_CASE("backward of the pairwise criteria computes their derivatives") {
  FOR_EACH_BACKEND(backend) {
    const auto context = contextOn(backend);
    const auto target = tensor(*backend, {3, 4}, probabilities(12, 3));
    for (const bool sizeAverage : {true, false}) {
      CAPTURE(sizeAverage);
      nn::MSECriterion mse(context, sizeAverage);
      checkGradient(*backend, mse, {3, 4}, randomValues(12, 4), target);
      for (const auto& weights : {std::vector<float>{}, std::vector<float>{1, 2, 0.5F, 3}}) {
        nn::BCECriterion bce(context, weights, sizeAverage);
        checkGradient(*backend, bce, {3, 4}, probabilities(12, 5), target);
      }
    }
  }
}

}  // namespace torchette::testing

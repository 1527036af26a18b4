// Optimizer steps.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/backends/operands.h"

namespace torchette::testing {

namespace {

constexpr std::int64_t count = 40003;

/// Parameters, gradient and two state vectors of a step.
struct Vectors {
  std::vector<float> parameters, gradient, first, second;
};

Vectors randomVectors() {
  Vectors vectors{randomValues(count, 1), randomValues(count, 2), randomValues(count, 3),
                  randomValues(count, 4)};
  for (float& value : vectors.second) value = std::abs(value);
  return vectors;
}

/// The same vectors on a backend.
struct Tensors {
  Tensors(Backend& backend, const Vectors& vectors)
      : parameters(tensor(backend, {count}, vectors.parameters)),
        gradient(tensor(backend, {count}, vectors.gradient)),
        first(tensor(backend, {count}, vectors.first)),
        second(tensor(backend, {count}, vectors.second)) {}

  Tensor parameters, gradient, first, second;
};

void checkVectors(const Tensors& actual, const Vectors& expected) {
  checkClose(valuesOf(actual.parameters), expected.parameters, 2e-6);
  checkClose(valuesOf(actual.gradient), expected.gradient, 2e-6);
  checkClose(valuesOf(actual.first), expected.first, 2e-6);
  checkClose(valuesOf(actual.second), expected.second, 2e-6);
}

float toFloat(double value) { return static_cast<float>(value); }

/// Torch7's optim.sgd, one element at a time in double.
Vectors afterSgd(const SgdStep& step, Vectors vectors) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double gradient = vectors.gradient[i] + double{step.weightDecay} * vectors.parameters[i];
    double direction = gradient;
    if (step.momentum != 0) {
      const double velocity = step.isFirst ? gradient
                                           : double{step.momentum} * vectors.first[i] +
                                                 (1 - double{step.dampening}) * gradient;
      direction = step.nesterov ? gradient + double{step.momentum} * velocity : velocity;
      vectors.first[i] = toFloat(velocity);
    }
    vectors.gradient[i] = toFloat(gradient);
    vectors.parameters[i] = toFloat(vectors.parameters[i] - double{step.learningRate} * direction);
  }
  return vectors;
}

/// Torch7's optim.adam, one element at a time in double.
Vectors afterAdam(const AdamStep& step, Vectors vectors) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double gradient = vectors.gradient[i] + double{step.weightDecay} * vectors.parameters[i];
    const double mean = double{step.beta1} * vectors.first[i] + (1 - double{step.beta1}) * gradient;
    const double meanSquare =
        double{step.beta2} * vectors.second[i] + (1 - double{step.beta2}) * gradient * gradient;
    const double change = double{step.stepSize} * mean / (std::sqrt(meanSquare) + step.epsilon);
    vectors.gradient[i] = toFloat(gradient);
    vectors.first[i] = toFloat(mean);
    vectors.second[i] = toFloat(meanSquare);
    vectors.parameters[i] = toFloat(vectors.parameters[i] - change);
  }
  return vectors;
}

}  // namespace

TEST_CASE("an sgd step follows Torch7 with and without decay and momentum") {
  FOR_EACH_BACKEND(backend) {
    SgdStep step{.elements = count, .learningRate = 0.1F};
    for (const float weightDecay : {0.0F, 0.01F}) {
      for (const float momentum : {0.0F, 0.9F}) {
        for (const float dampening : {0.0F, 0.5F}) {
          for (const bool isFirst : {true, false}) {
            step.weightDecay = weightDecay;
            step.momentum = momentum;
            step.dampening = dampening;
            step.isFirst = isFirst;
            const Vectors before = randomVectors();
            const Tensors tensors(*backend, before);
            backend->sgdStep(step, at(tensors.parameters), at(tensors.gradient),
                             momentum == 0 ? nullptr : at(tensors.first));
            checkVectors(tensors, afterSgd(step, before));
          }
        }
      }
    }
  }
}

TEST_CASE("an sgd step with nesterov momentum looks ahead") {
  FOR_EACH_BACKEND(backend) {
    for (const bool isFirst : {true, false}) {
      const SgdStep step{.elements = count,
                         .learningRate = 0.1F,
                         .weightDecay = 0.01F,
                         .momentum = 0.9F,
                         .nesterov = true,
                         .isFirst = isFirst};
      const Vectors before = randomVectors();
      const Tensors tensors(*backend, before);
      backend->sgdStep(step, at(tensors.parameters), at(tensors.gradient), at(tensors.first));
      checkVectors(tensors, afterSgd(step, before));
    }
  }
}

TEST_CASE("the first sgd step does not read the velocity") {
  FOR_EACH_BACKEND(backend) {
    const Tensor parameters = tensor(*backend, {2}, {1, 2});
    const Tensor gradient = tensor(*backend, {2}, {4, -4});
    const Tensor velocity = room(*backend, {2});
    backend->sgdStep({.elements = 2, .learningRate = 0.5F, .momentum = 0.9F, .dampening = 0.9F},
                     at(parameters), at(gradient), at(velocity));
    CHECK(valuesOf(velocity) == std::vector<float>{4, -4});
    CHECK(valuesOf(parameters) == std::vector<float>{-1, 4});
  }
}

TEST_CASE("an adam step follows Torch7") {
  FOR_EACH_BACKEND(backend) {
    for (const float weightDecay : {0.0F, 0.01F}) {
      const AdamStep step{.elements = count,
                          .stepSize = 0.01F,
                          .beta1 = 0.9F,
                          .beta2 = 0.99F,
                          .epsilon = 1e-8F,
                          .weightDecay = weightDecay};
      const Vectors before = randomVectors();
      const Tensors tensors(*backend, before);
      backend->adamStep(step, at(tensors.parameters), at(tensors.gradient), at(tensors.first),
                        at(tensors.second));
      checkVectors(tensors, afterAdam(step, before));
    }
  }
}

TEST_CASE("optimizer steps without elements touch nothing") {
  FOR_EACH_BACKEND(backend) {
    backend->sgdStep({.momentum = 0.9F}, nullptr, nullptr, nullptr);
    backend->adamStep({}, nullptr, nullptr, nullptr, nullptr);
  }
}

}  // namespace torchette::testing

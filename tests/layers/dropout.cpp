// Dropout: what its noise does in training, and what evaluation does without it.
#include "layers/dropout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

using Floats = std::vector<float>;

Floats product(Floats a, const Floats& b) {
  std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::multiplies<>());
  return a;
}

}  // namespace

TEST_CASE("training multiplies input and gradOutput by the same noise") {
  FOR_EACH_BACKEND(backend) {
    nn::Dropout dropout(contextOn(backend), 0.4);
    const auto input = randomTensor(*backend, {50, 4}, 1),
               gradOutput = randomTensor(*backend, {50, 4}, 2);
    const auto output = valuesOf(dropout.forward(input));
    const auto noise = valuesOf(dropout.noise);
    CHECK(dropout.noise.shape() == input.shape());
    CHECK(output == product(valuesOf(input), noise));
    CHECK(valuesOf(dropout.backward(input, gradOutput)) == product(valuesOf(gradOutput), noise));
    const auto dropped = std::ranges::count(noise, 0.0F);
    CHECK(dropped > 50);
    CHECK(dropped < 110);
    CHECK(std::ranges::count(noise, static_cast<float>(1 / 0.6)) == 200 - dropped);
  }
}

TEST_CASE("version 1 keeps elements as they are in training and scales them in evaluation") {
  FOR_EACH_BACKEND(backend) {
    nn::Dropout dropout(contextOn(backend), 0.25, true);
    const auto ones = tensor(*backend, {64}, Floats(64, 1.0F));
    const auto output = valuesOf(dropout.forward(ones));
    CHECK(std::ranges::count(output, 1.0F) + std::ranges::count(output, 0.0F) == 64);
    dropout.evaluate();
    CHECK(valuesOf(dropout.forward(ones)) == Floats(64, 0.75F));
    CHECK(valuesOf(dropout.backward(ones, ones)) == Floats(64, 0.75F));
  }
}

TEST_CASE("each forward draws new noise and evaluation draws none") {
  FOR_EACH_BACKEND(backend) {
    const auto context = contextOn(backend);
    nn::Dropout dropout(context, 0.5);
    const auto ones = tensor(*backend, {64}, Floats(64, 1.0F));
    const auto first = valuesOf(dropout.forward(ones));
    CHECK(valuesOf(dropout.forward(ones)) != first);
    dropout.evaluate();
    const auto state = context.generator->state();
    CHECK(valuesOf(dropout.forward(ones)) == Floats(64, 1.0F));
    CHECK(context.generator->state() == state);
  }
}

TEST_CASE("in place the input and gradOutput become the results") {
  FOR_EACH_BACKEND(backend) {
    nn::Dropout dropout(contextOn(backend), 0.5, false, true);
    const auto input = randomTensor(*backend, {64}, 1),
               gradOutput = randomTensor(*backend, {64}, 2);
    const auto values = valuesOf(input), gradients = valuesOf(gradOutput);
    CHECK(dropout.forward(input).tensor().isSameView(input));
    CHECK(valuesOf(input) == product(values, valuesOf(dropout.noise)));
    CHECK(dropout.backward(input, gradOutput).tensor().isSameView(gradOutput));
    CHECK(valuesOf(gradOutput) == product(gradients, valuesOf(dropout.noise)));
  }
}

TEST_CASE("without a probability nothing is dropped") {
  FOR_EACH_BACKEND(backend) {
    nn::Dropout dropout(contextOn(backend), 0.0);
    const auto input = randomTensor(*backend, {64}, 1);
    CHECK(valuesOf(dropout.forward(input)) == valuesOf(input));
  }
}

}  // namespace torchette::testing

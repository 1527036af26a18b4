// Parameters and noise start with the numbers that Torch7 draws from the same seed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "layers/dropout.h"
#include "layers/linear.h"
#include "layers/spatial_batch_normalization.h"
#include "layers/spatial_convolution.h"
#include "layers/spatial_full_convolution.h"
#include "tests/layers/layer_support.h"
#include "tests/support/golden.h"

namespace torchette::testing {

namespace {

/// Calls check(golden, seed) for each seed of the file.
template <class Check>
void forEachSeed(const Check& check) {
  const auto golden = loadGolden("rng.json");
  CHECK(golden.size() == 3);
  for (const auto& values : golden) {
    const auto seed = values.at("seed").get<std::uint32_t>();
    CAPTURE(seed);
    check(values, seed);
  }
}

/// All values lie within the bound, and they come near to it on both sides.
void checkUniform(const std::vector<float>& values, float bound) {
  float lowest = 0, highest = 0;
  for (const float value : values) {
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  CHECK(lowest >= -bound);
  CHECK(highest <= bound);
  CHECK(lowest < -0.9F * bound);
  CHECK(highest > 0.9F * bound);
}

}  // namespace

TEST_CASE("a convolution starts with the weights of Torch7") {
  FOR_EACH_BACKEND(backend) {
    forEachSeed([&](const nlohmann::json& golden, std::uint32_t seed) {
      const nn::SpatialConvolution layer(contextOn(backend, seed), 2, 3, 3, 2);
      const auto& expected = golden.at("conv_2_3_3_2");
      CHECK(valuesOf(layer.weight) == goldenFloats(expected.at("weight")));
      CHECK(valuesOf(layer.bias) == goldenFloats(expected.at("bias")));
    });
  }
}

TEST_CASE("Linear starts with the weights of Torch7") {
  FOR_EACH_BACKEND(backend) {
    forEachSeed([&](const nlohmann::json& golden, std::uint32_t seed) {
      const nn::Linear layer(contextOn(backend, seed), 4, 3);
      const auto& expected = golden.at("linear_4_3");
      CHECK(valuesOf(layer.weight) == goldenFloats(expected.at("weight")));
      CHECK(valuesOf(layer.bias) == goldenFloats(expected.at("bias")));
    });
  }
}

TEST_CASE("Dropout draws the noise of Torch7") {
  FOR_EACH_BACKEND(backend) {
    forEachSeed([&](const nlohmann::json& golden, std::uint32_t seed) {
      nn::Dropout layer(contextOn(backend, seed), 0.4);
      const auto ones = tensor(*backend, {12}, std::vector<float>(12, 1.0F));
      const auto expected = goldenFloats(golden.at("dropout_04_ones_12"));
      CHECK(valuesOf(layer.forward(ones)) == expected);
      CHECK(valuesOf(layer.noise) == expected);
      CHECK(valuesOf(layer.backward(ones, ones)) == expected);
    });
  }
}

TEST_CASE("convolutions start within one over the root of their fan-in") {
  FOR_EACH_BACKEND(backend) {
    const nn::SpatialConvolution convolution(contextOn(backend), 3, 64, 4, 4);
    const nn::SpatialFullConvolution full(contextOn(backend), 3, 64, 4, 4);
    checkUniform(valuesOf(convolution.weight), 1 / std::sqrt(48.0F));
    checkUniform(valuesOf(convolution.bias), 1 / std::sqrt(48.0F));
    checkUniform(valuesOf(full.weight), 1 / std::sqrt(48.0F));
    checkUniform(valuesOf(full.bias), 1 / std::sqrt(48.0F));
  }
}

TEST_CASE("batch normalisation starts as Torch7 does") {
  FOR_EACH_BACKEND(backend) {
    const nn::SpatialBatchNormalization layer(contextOn(backend), 100);
    for (const float weight : valuesOf(layer.weight)) CHECK((weight >= 0 && weight < 1));
    CHECK(valuesOf(layer.bias) == std::vector<float>(100, 0.0F));
    CHECK(valuesOf(layer.running_mean) == std::vector<float>(100, 0.0F));
    CHECK(valuesOf(layer.running_var) == std::vector<float>(100, 1.0F));
  }
}

TEST_CASE("modules of one context draw from one random stream") {
  FOR_EACH_BACKEND(backend) {
    const auto context = contextOn(backend, 7);
    const nn::Linear first(context, 4, 3), second(context, 4, 3);
    CHECK(valuesOf(first.weight) != valuesOf(second.weight));
    Generator generator(7);
    for (int i = 0; i < 2 * (12 + 3); ++i) generator.uniform();
    CHECK(context.generator->state() == generator.state());
  }
}

}  // namespace torchette::testing

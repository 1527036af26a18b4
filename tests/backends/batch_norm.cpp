// Batch normalisation.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/backends/operands.h"
#include "tests/support/naive.h"

namespace torchette::testing {

namespace {

constexpr float epsilon = 1e-3F;

/// Images and matrices, one and several blocks of planes, split over lanes and not.
std::vector<PlanesGeometry> geometries() {
  return {{.samples = 4, .planes = 3, .pixels = 6},
          {.samples = 64, .planes = 500, .pixels = 1},
          {.samples = 1, .planes = 300, .pixels = 70},
          {.samples = 16, .planes = 1, .pixels = 1},
          {.samples = 6, .planes = 20, .pixels = 500}};
}

/// Small enough for numeric gradients.
std::vector<PlanesGeometry> smallGeometries() {
  return {{.samples = 3, .planes = 2, .pixels = 4}, {.samples = 5, .planes = 4, .pixels = 1}};
}

Shape shapeOf(const PlanesGeometry& geometry) {
  return {geometry.samples, geometry.planes, geometry.pixels};
}

/// A batch normalisation with random input and parameters.
struct Case {
  Case(Backend& backend, const PlanesGeometry& planes)
      : geometry(planes),
        input(randomTensor(backend, shapeOf(planes), 1)),
        gradOutput(randomTensor(backend, shapeOf(planes), 2)),
        weight(randomTensor(backend, {planes.planes}, 3)),
        bias(randomTensor(backend, {planes.planes}, 4)),
        mean(room(backend, {planes.planes})),
        inverseStd(room(backend, {planes.planes})),
        result(room(backend, shapeOf(planes))) {
    backend.batchNormStatistics(planes, epsilon, at(input), at(mean), at(inverseStd));
  }

  BatchNorm norm() const { return {geometry, at(mean), at(inverseStd), at(weight), at(bias)}; }

  PlanesGeometry geometry;
  Tensor input, gradOutput, weight, bias, mean, inverseStd, result;
};

}  // namespace

TEST_CASE("batch statistics agree with the reference") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Case norm(*backend, geometry);
      const auto expected = naive::planeStatistics(geometry, valuesOf(norm.input));
      auto inverseStd = expected.variance;
      for (double& value : inverseStd) value = 1 / std::sqrt(value + epsilon);
      checkClose(valuesOf(norm.mean), naive::rounded(expected.mean), 1e-5);
      checkClose(valuesOf(norm.inverseStd), naive::rounded(inverseStd), 1e-5);
    }
  }
}

TEST_CASE("batch statistics keep a small variance around a large mean") {
  FOR_EACH_BACKEND(backend) {
    const Tensor input = tensor(*backend, {4}, {10001, 9999, 10001, 9999});
    const Tensor mean = room(*backend, {1});
    const Tensor inverseStd = room(*backend, {1});
    backend->batchNormStatistics({.samples = 2, .planes = 1, .pixels = 2}, 0, at(input), at(mean),
                                 at(inverseStd));
    CHECK(valuesOf(mean) == std::vector<float>{10000});
    CHECK(valuesOf(inverseStd) == std::vector<float>{1});
  }
}

TEST_CASE("batch normalisation agrees with the reference") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Case norm(*backend, geometry);
      const auto input = valuesOf(norm.input);
      backend->batchNorm(norm.norm(), at(norm.input), at(norm.result));
      checkClose(
          valuesOf(norm.result),
          naive::batchNorm(geometry, epsilon, input, valuesOf(norm.weight), valuesOf(norm.bias)),
          1e-5);
      backend->batchNorm({geometry, at(norm.mean), at(norm.inverseStd)}, at(norm.input),
                         at(norm.result));
      checkClose(valuesOf(norm.result), naive::batchNorm(geometry, epsilon, input, {}, {}), 1e-5);
    }
  }
}

TEST_CASE("the gradient of batch normalisation passes through mean and deviation") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : smallGeometries()) {
      const Case norm(*backend, geometry);
      backend->batchNormBackward({.forward = norm.norm(),
                                  .input = at(norm.input),
                                  .gradOutput = at(norm.gradOutput),
                                  .gradInput = at(norm.result)});
      const auto weight = valuesOf(norm.weight);
      const auto gradients = valuesOf(norm.gradOutput);
      const auto loss = [&](const std::vector<float>& x) {
        return naive::dot(naive::batchNormInDouble(geometry, epsilon, x, weight, {}), gradients);
      };
      checkClose(valuesOf(norm.result), naive::numericGradient(loss, valuesOf(norm.input)), 1e-3);
    }
  }
}

TEST_CASE("with constant statistics the gradient is only scaled") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      const Case norm(*backend, geometry);
      backend->batchNormBackward({.forward = norm.norm(),
                                  .batchStatistics = false,
                                  .input = at(norm.input),
                                  .gradOutput = at(norm.gradOutput),
                                  .gradInput = at(norm.result)});
      auto expected = valuesOf(norm.gradOutput);
      const auto weight = valuesOf(norm.weight);
      const auto inverseStd = valuesOf(norm.inverseStd);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::size_t plane = i / geometry.pixels % geometry.planes;
        expected[i] *= inverseStd[plane] * weight[plane];
      }
      checkClose(valuesOf(norm.result), expected, 1e-5);
    }
  }
}

TEST_CASE("parameter gradients of batch normalisation accumulate with a scale") {
  FOR_EACH_BACKEND(backend) {
    for (const auto& geometry : geometries()) {
      for (const bool batchStatistics : {true, false}) {
        const Case norm(*backend, geometry);
        const Tensor gradWeight = randomTensor(*backend, {geometry.planes}, 5);
        const Tensor gradBias = randomTensor(*backend, {geometry.planes}, 6);
        auto expectedWeight = valuesOf(gradWeight);
        auto expectedBias = valuesOf(gradBias);
        const auto gradients = valuesOf(norm.gradOutput);
        auto weighted = naive::batchNorm(geometry, epsilon, valuesOf(norm.input), {}, {});
        for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] *= gradients[i];
        const auto weightSums = naive::planeSums(geometry, weighted);
        const auto biasSums = naive::planeSums(geometry, gradients);
        for (std::int64_t plane = 0; plane < geometry.planes; ++plane) {
          expectedWeight[plane] += 0.5F * weightSums[plane];
          expectedBias[plane] += 0.5F * biasSums[plane];
        }
        backend->batchNormBackward({.forward = norm.norm(),
                                    .batchStatistics = batchStatistics,
                                    .input = at(norm.input),
                                    .gradOutput = at(norm.gradOutput),
                                    .gradWeight = at(gradWeight),
                                    .gradBias = at(gradBias),
                                    .scale = 0.5F});
        checkClose(valuesOf(gradWeight), expectedWeight, 1e-5);
        checkClose(valuesOf(gradBias), expectedBias, 1e-5);
      }
    }
  }
}

TEST_CASE("running statistics move towards those of the batch") {
  FOR_EACH_BACKEND(backend) {
    const Tensor mean = tensor(*backend, {2}, {1, -3});
    const Tensor inverseStd = tensor(*backend, {2}, {0.5F, 100});  // variances 4 and 0.0001
    const Tensor runningMean = tensor(*backend, {2}, {5, 1});
    const Tensor runningVariance = tensor(*backend, {2}, {1, 2});
    backend->updateRunningStatistics({.geometry = {.samples = 2, .planes = 2, .pixels = 2},
                                      .momentum = 0.25F,
                                      .epsilon = 1,
                                      .mean = at(mean),
                                      .inverseStd = at(inverseStd),
                                      .runningMean = at(runningMean),
                                      .runningVariance = at(runningVariance)});
    CHECK(valuesOf(runningMean) == std::vector<float>{4, 0});
    // The second variance is below epsilon and counts as 0; 4 elements unbias by 4 / 3.
    checkClose(valuesOf(runningVariance), {0.75F + 0.25F * 3 * 4 / 3, 1.5F}, 1e-6);
  }
}

TEST_CASE("running variance stays finite for a single element") {
  FOR_EACH_BACKEND(backend) {
    const Tensor one = tensor(*backend, {1}, {1});
    const Tensor runningMean = tensor(*backend, {1}, {0});
    const Tensor runningVariance = tensor(*backend, {1}, {2});
    backend->updateRunningStatistics({.geometry = {.samples = 1, .planes = 1, .pixels = 1},
                                      .momentum = 0.5F,
                                      .epsilon = 1,
                                      .mean = at(one),
                                      .inverseStd = at(one),
                                      .runningMean = at(runningMean),
                                      .runningVariance = at(runningVariance)});
    CHECK(valuesOf(runningVariance) == std::vector<float>{1});
  }
}

TEST_CASE("the inverse standard deviation includes epsilon") {
  FOR_EACH_BACKEND(backend) {
    constexpr std::int64_t count = 20001;
    auto variances = randomValues(count, 1);
    for (float& value : variances) value = std::abs(value);
    const Tensor variance = tensor(*backend, {count}, variances);
    const Tensor inverseStd = room(*backend, {count});
    backend->inverseStandardDeviation(count, 0.25F, at(variance), at(inverseStd));
    checkClose(valuesOf(inverseStd),
               mapped(variances, [](double value) { return 1 / std::sqrt(value + 0.25); }), 1e-6);
  }
}

}  // namespace torchette::testing

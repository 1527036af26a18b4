// How sums over planes are cut into chunks.
#include <doctest/doctest.h>

#include <algorithm>

#include "backends/kernels/scratch.h"
#include "tests/backends/operands.h"

namespace torchette::testing {

namespace {

using kernels::planeChunksFrom;
using kernels::scratchBytes;

constexpr std::int64_t many = 1000000;

}  // namespace

TEST_CASE("the totals and partial sums of a range of planes fit the scratch") {
  for (const std::int64_t planes : {std::int64_t{1}, std::int64_t{20}, std::int64_t{513}, many}) {
    for (const std::int64_t elements : {std::int64_t{0}, std::int64_t{1}, std::int64_t{64}, many}) {
      for (const std::int64_t sumBytes : {8, 16}) {
        const auto range = planeChunksFrom(0, planes, elements, sumBytes);
        CHECK(range.planes >= 1);
        CHECK(range.chunks >= 1);
        CHECK(range.planes * (range.chunks + 1) * sumBytes <= scratchBytes);
      }
    }
  }
}

TEST_CASE("ranges of planes follow each other to the last") {
  std::int64_t end = 0;
  while (end < many) {
    const auto range = planeChunksFrom(end, many, 10, 8);
    CHECK(range.firstPlane == end);
    CHECK(range.planes >= 1);
    end = range.endPlane();
  }
  CHECK(end == many);
}

TEST_CASE("planes share the scratch so that they are summed together if they can be") {
  for (const std::int64_t planes : {1, 20, 513, 10000}) {
    CHECK(planeChunksFrom(0, planes, many, 8).planes == planes);
  }
}

TEST_CASE("few planes of many elements are cut into many chunks and small ones are not") {
  CHECK(planeChunksFrom(0, 1, many, 8).chunks == 1024);
  CHECK(planeChunksFrom(0, 20, 64 * 576, 8).chunks == 576);
  CHECK(planeChunksFrom(0, 1, 100, 8).chunks == 1);
}

TEST_CASE("sums over more planes than the scratch holds agree with the reference") {
  FOR_EACH_BACKEND(backend) {
    const PlanesGeometry geometry{.samples = 3, .planes = 40000, .pixels = 1};
    const Tensor values = randomTensor(*backend, {3 * 40000}, 1);
    const Tensor sums = tensor(*backend, {40000}, std::vector<float>(40000, 0.0F));
    backend->accumulateBias(geometry, 1, at(values), at(sums));
    const auto x = valuesOf(values);
    std::vector<float> expected(40000);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] = static_cast<float>(double{x[i]} + x[i + 40000] + x[i + 80000]);
    }
    CHECK(valuesOf(sums) == expected);
  }
}

TEST_CASE("normalising more planes than the scratch holds agrees with the cpu") {
  constexpr std::int64_t planes = 40000;
  const auto gradients = [](Backend& backend) {
    const PlanesGeometry geometry{.samples = 3, .planes = planes, .pixels = 1};
    const Tensor input = randomTensor(backend, {3 * planes}, 1);
    const Tensor gradOutput = randomTensor(backend, {3 * planes}, 2);
    const Tensor mean = room(backend, {planes}), inverseStd = room(backend, {planes});
    const Tensor gradInput = room(backend, {3 * planes});
    const Tensor gradWeight = tensor(backend, {planes}, std::vector<float>(planes, 0.0F));
    backend.batchNormStatistics(geometry, 0.1F, at(input), at(mean), at(inverseStd));
    backend.batchNormBackward({.forward = {geometry, at(mean), at(inverseStd)},
                               .input = at(input),
                               .gradOutput = at(gradOutput),
                               .gradInput = at(gradInput),
                               .gradWeight = at(gradWeight)});
    return std::vector{valuesOf(mean), valuesOf(inverseStd), valuesOf(gradInput),
                       valuesOf(gradWeight)};
  };
  const auto expected = gradients(*cpuBackend());
  FOR_EACH_BACKEND(backend) {
    const auto actual = gradients(*backend);
    for (std::size_t i = 0; i < expected.size(); ++i) checkClose(actual[i], expected[i], 1e-5);
  }
}

TEST_CASE("a backend that runs kernels holds scratch of a fixed size under its own name") {
  const auto backend = simulatedBackend();
  const auto holdings = ledger()->liveHoldings();
  REQUIRE(holdings.size() == 1);
  CHECK(holdings[0] == Holding{"backend/simulated", "scratch", scratchBytes});
  const Tensor values = randomTensor(*backend, {1000000}, 1);
  const Tensor sum = tensor(*backend, {1}, {0});
  ledger()->resetPeak();
  backend->accumulateBias({.samples = 1, .planes = 1, .pixels = 1000000}, 1, at(values), at(sum));
  CHECK(ledger()->peakBytes() == scratchBytes + values.bytes() + sum.bytes());
}

}  // namespace torchette::testing

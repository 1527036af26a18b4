// How work is spread over the lanes of a backend.
#include <doctest/doctest.h>

#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "backends/cpu/cpu_backend.h"
#include "runtime/errors.h"
#include "tests/backends/operands.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

/// The lane that each item ran on; -1 if it did not run, -2 if it ran twice.
std::vector<int> lanesOfItems(Backend& backend, std::int64_t count) {
  std::vector<int> lanes(count, -1);
  backend.forEach(
      count, [&](std::int64_t item, int lane) { lanes[item] = lanes[item] == -1 ? lane : -2; });
  return lanes;
}

}  // namespace

TEST_CASE("forEach runs each item once on a lane that exists") {
  FOR_EACH_BACKEND(backend) {
    for (const std::int64_t count : {0, 1, 2, 3, 7, 100}) {
      for (const int lane : lanesOfItems(*backend, count)) {
        CHECK(lane >= 0);
        CHECK(lane < backend->lanes());
      }
    }
  }
}

TEST_CASE("forEach runs the items of one lane in order") {
  FOR_EACH_BACKEND(backend) {
    std::vector<std::vector<std::int64_t>> items(backend->lanes());
    backend->forEach(50, [&](std::int64_t item, int lane) { items[lane].push_back(item); });
    for (const auto& itemsOfLane : items) {
      CHECK(std::is_sorted(itemsOfLane.begin(), itemsOfLane.end()));
    }
  }
}

TEST_CASE("the lane of an item depends on count and lanes alone") {
  const auto backend = cpuBackend(3);
  CHECK(lanesOfItems(*backend, 7) == std::vector<int>{0, 0, 1, 1, 2, 2, 2});
  CHECK(lanesOfItems(*backend, 7) == lanesOfItems(*backend, 7));
}

TEST_CASE("the items of forEach are spread over threads") {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  cpuBackend(2)->forEach(2, [&](std::int64_t, int) {
    const std::scoped_lock lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  CHECK(threads.size() == 2);
}

TEST_CASE("a nested forEach stays on the lane of the enclosing item") {
  FOR_EACH_BACKEND(backend) {
    for (const std::int64_t outerCount : {1, 4}) {
      std::vector<std::vector<int>> innerLanes(outerCount);
      std::vector<int> outerLanes(outerCount);
      backend->forEach(outerCount, [&](std::int64_t outer, int lane) {
        outerLanes[outer] = lane;
        backend->forEach(5, [&](std::int64_t, int inner) { innerLanes[outer].push_back(inner); });
      });
      for (std::int64_t outer = 0; outer < outerCount; ++outer) {
        CHECK(innerLanes[outer] == std::vector<int>(5, outerLanes[outer]));
      }
    }
  }
}

TEST_CASE("an exception in an item of forEach reaches the caller and the backend stays usable") {
  const auto backend = cpuBackend(2);
  CHECK_THROWS_AS(backend->forEach(4,
                                   [](std::int64_t item, int) {
                                     if (item == 3) throw std::runtime_error("item 3");
                                   }),
                  std::runtime_error);
  CHECK(lanesOfItems(*backend, 4) == std::vector<int>{0, 0, 1, 1});
}

TEST_CASE("operations give the same bits in forEach and outside for any number of lanes") {
  constexpr std::int64_t elements = 50000;
  const auto input = randomValues(elements, 1);
  const PlanesGeometry geometry{.samples = 5, .planes = 20, .pixels = 500};
  std::vector<float> expected;
  std::vector<float> expectedSums;
  for (const int lanes : {1, 2, 3, 5}) {
    const auto backend = cpuBackend(lanes);
    const Tensor x = tensor(*backend, {elements}, input);
    const Tensor y = room(*backend, {elements});
    const Tensor sums = tensor(*backend, {20}, std::vector<float>(20, 0.0F));
    const auto compute = [&] {
      sums.zero();
      backend->activate({.kind = Activation::Kind::tanh}, elements, at(x), at(y));
      backend->accumulateBias(geometry, 1, at(x), at(sums));
    };
    compute();
    if (lanes == 1) {
      expected = valuesOf(y);
      expectedSums = valuesOf(sums);
    }
    CHECK(valuesOf(y) == expected);
    CHECK(valuesOf(sums) == expectedSums);
    backend->forEach(1, [&](std::int64_t, int) { compute(); });
    CHECK(valuesOf(y) == expected);
    CHECK(valuesOf(sums) == expectedSums);
  }
}

TEST_CASE("zero lanes means at least one and negative lanes are refused") {
  CHECK(cpuBackend(0)->lanes() >= 1);
  CHECK(cpuBackend(7)->lanes() == 7);
  checkThrows<ArgumentError>([] { cpuBackend(-1); }, {"cpu backend", "lanes", "-1"});
}

}  // namespace torchette::testing

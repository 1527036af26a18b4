// Kernels give the same bits in whatever order their points run, and those of the CPU backend where
// both add in the same order.
#include <doctest/doctest.h>

#include "backends/simulated/simulated_launcher.h"
#include "tests/backends/operation_results.h"
#include "tests/support/test_backend.h"

namespace torchette::testing {

namespace {

void checkSameBits(const std::vector<OperationResult>& actual,
                   const std::vector<OperationResult>& expected) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    CAPTURE(i);
    CAPTURE(expected[i].name);
    CHECK(actual[i].values == expected[i].values);
  }
}

}  // namespace

TEST_CASE("every operation gives the same bits in whatever order its points run") {
  const auto expected = resultsOfAllOperations(*simulatedBackend());
  checkSameBits(resultsOfAllOperations(*simulatedBackend({.order = PointOrder::reversed})),
                expected);
  for (const std::uint32_t seed : {1, 2, 3}) {
    checkSameBits(resultsOfAllOperations(*simulatedBackend({PointOrder::shuffled, seed})),
                  expected);
  }
  checkSameBits(resultsOfAllOperations(*simulatedBackend({}, {.strict = true})), expected);
}

TEST_CASE("every operation of a GPU gives the same bits each time") {
  FOR_EACH_GPU_BACKEND(backend) {
    const auto expected = resultsOfAllOperations(*backend);
    checkSameBits(resultsOfAllOperations(*backend), expected);
  }
}

TEST_CASE("im2col and col2im and pooling on a GPU give the bits of the CPU backend") {
  static const auto expected = resultsOfWindowOperations(*cpuBackend());
  FOR_EACH_GPU_BACKEND(backend) { checkSameBits(resultsOfWindowOperations(*backend), expected); }
}

TEST_CASE("im2col and col2im and pooling have the bits of the CPU backend in reversed order") {
  checkSameBits(resultsOfWindowOperations(*simulatedBackend({.order = PointOrder::reversed})),
                resultsOfWindowOperations(*cpuBackend()));
}

TEST_CASE("a seed stands for one shuffled order and another seed for another") {
  // Which of many points writes last shows in what a racing kernel leaves.
  struct WriteLast {
    std::int64_t* last;
    void operator()(std::int64_t plane, std::int64_t row, std::int64_t column) const {
      *last = (plane * 50 + row) * 50 + column;
    }
  };
  const auto lastPoint = [](PointOrder order, std::uint32_t seed) {
    SimulatedDevice device;
    SimulatedLauncher launcher(device, {order, seed});
    std::int64_t last = -1;
    launcher.launch({50, 50, 50}, WriteLast{&last});
    return last;
  };
  CHECK(lastPoint(PointOrder::inOrder, 1) == 50 * 50 * 50 - 1);
  CHECK(lastPoint(PointOrder::reversed, 1) == 0);
  CHECK(lastPoint(PointOrder::shuffled, 1) == lastPoint(PointOrder::shuffled, 1));
  CHECK(lastPoint(PointOrder::shuffled, 1) != lastPoint(PointOrder::shuffled, 2));
}

TEST_CASE("every order visits every point of a grid once") {
  struct Count {
    std::vector<int>* visits;
    KernelGrid grid;
    void operator()(std::int64_t plane, std::int64_t row, std::int64_t column) const {
      ++(*visits)[(plane * grid.rows + row) * grid.columns + column];
    }
  };
  SimulatedDevice device;
  for (const auto order : {PointOrder::inOrder, PointOrder::reversed, PointOrder::shuffled}) {
    SimulatedLauncher launcher(device, {.order = order});
    for (const KernelGrid& grid :
         {KernelGrid{}, {3, 5, 7}, {1, 1, 4096}, {2, 1, 1}, {4, 0, 3}, {30, 30, 30}}) {
      std::vector<int> visits(grid.points());
      launcher.launch(grid, Count{&visits, grid});
      CHECK(visits == std::vector<int>(grid.points(), 1));
    }
  }
}

}  // namespace torchette::testing

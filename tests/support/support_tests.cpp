// The test support itself: comparisons must fail when they should.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tests/support/check_throws.h"
#include "tests/support/golden.h"
#include "tests/support/test_backend.h"

namespace torchette::testing {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

bool areClose(const std::vector<float>& actual, const std::vector<float>& expected,
              double tolerance) {
  return differenceBetween(actual, expected, tolerance).empty();
}

}  // namespace

TEST_CASE("values are close within the tolerance relative to the element") {
  CHECK(areClose({100.0009F}, {100}, 1e-5));
  CHECK_FALSE(areClose({100.002F}, {100}, 1e-5));
}

TEST_CASE("a small element is compared at a tenth of the largest") {
  CHECK(areClose({100, 0.00009F}, {100, 0}, 1e-5));
  CHECK_FALSE(areClose({100, 0.0002F}, {100, 0}, 1e-5));
}

TEST_CASE("expected zeros are met by zeros only") {
  CHECK(areClose({0, -0.0F}, {0, 0}, 1e-5));
  CHECK_FALSE(areClose({0, 1e-30F}, {0, 0}, 1e-5));
}

TEST_CASE("infinities and NaN are close to themselves only") {
  CHECK(areClose({infinity, notANumber, 1}, {infinity, notANumber, 1}, 1e-5));
  CHECK_FALSE(areClose({-infinity}, {infinity}, 1e-5));
  CHECK_FALSE(areClose({notANumber}, {1}, 1e-5));
  CHECK_FALSE(areClose({1}, {notANumber}, 1e-5));
  CHECK_FALSE(areClose({notANumber}, {0}, 1e-5));
  CHECK_FALSE(areClose({1, 2}, {infinity, 1}, 1e-5));
}

TEST_CASE("lists of other lengths are never close") { CHECK_FALSE(areClose({1}, {1, 1}, 1e-5)); }

TEST_CASE("a difference names the worst index and both values") {
  const auto text = differenceBetween({1, 2, 3.5F}, {1, 2.25F, 7.5F}, 1e-5);
  for (const char* words : {"2 of 3", "index 2", "got 3.5", "expected 7.5"}) {
    CAPTURE(words);
    CHECK(text.find(words) != std::string::npos);
  }
}

TEST_CASE("random tensors are the same for the same seed and within bounds") {
  const auto values = randomValues(1000, 7);
  CHECK(values == randomValues(1000, 7));
  CHECK(values != randomValues(1000, 8));
  CHECK(*std::min_element(values.begin(), values.end()) >= -1);
  CHECK(*std::max_element(values.begin(), values.end()) < 1);
  CHECK(*std::min_element(values.begin(), values.end()) < -0.9F);
  CHECK(*std::max_element(values.begin(), values.end()) > 0.9F);
}

TEST_CASE("every backend gets its turn and gives tensors of its own device") {
  FOR_EACH_BACKEND(backend) {
    const Tensor x = tensor(*backend, {2, 2}, {1, 2, 3, 4});
    CHECK(valuesOf(x) == std::vector<float>{1, 2, 3, 4});
    CHECK(&x.device() == &backend->device());
    CHECK(valuesOf(randomTensor(*backend, {2, 3}, 5)) == randomValues(6, 5));
  }
}

TEST_CASE("a golden tensor has the shape and the values of the file") {
  const auto json = nlohmann::json::parse(R"({"shape": [2, 3], "data": [1, 2, 3, 4, 5, "0.5"]})");
  const Tensor x = goldenTensor(hostAllocator(), json);
  CHECK(x.shape() == Shape{2, 3});
  CHECK(valuesOf(x) == std::vector<float>{1, 2, 3, 4, 5, 0.5F});
}

TEST_CASE("a missing golden file is named") {
  checkThrows<std::runtime_error>([] { loadGolden("none.json"); }, {"cannot read", "none.json"});
}

}  // namespace torchette::testing

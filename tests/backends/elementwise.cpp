// Operations that work element by element.
#include <doctest/doctest.h>

#include "tests/backends/operands.h"

namespace torchette::testing {

namespace {

/// None, one, a vector and a bit, and enough to be split over lanes.
const std::vector<std::int64_t> counts{0, 1, 19, 40001};

/// function(a[i], b[i]), in float.
template <class Function>
std::vector<float> combined(std::vector<float> a, const std::vector<float>& b,
                            const Function& function) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = function(a[i], b[i]);
  return a;
}

}  // namespace

TEST_CASE("fill sets all elements and no other") {
  FOR_EACH_BACKEND(backend) {
    for (const auto count : counts) {
      const Tensor y = tensor(*backend, {count + 1}, std::vector<float>(count + 1, 7.0F));
      backend->fill(count, 2.5F, at(y));
      std::vector<float> expected(count + 1, 2.5F);
      expected.back() = 7;
      CHECK(valuesOf(y) == expected);
    }
  }
}

TEST_CASE("scale multiplies by a number and may work in place") {
  FOR_EACH_BACKEND(backend) {
    for (const auto count : counts) {
      const Tensor x = randomTensor(*backend, {count}, 1);
      const Tensor y = room(*backend, {count});
      const auto expected = mapped(valuesOf(x), [](double value) { return 0.25 * value; });
      backend->scale(count, 0.25F, at(x), at(y));
      CHECK(valuesOf(y) == expected);
      backend->scale(count, 0.25F, at(x), at(x));
      CHECK(valuesOf(x) == expected);
    }
  }
}

TEST_CASE("addScaled adds a multiple") {
  FOR_EACH_BACKEND(backend) {
    for (const auto count : counts) {
      const Tensor x = randomTensor(*backend, {count}, 1);
      const Tensor y = randomTensor(*backend, {count}, 2);
      const auto expected =
          combined(valuesOf(y), valuesOf(x), [](float a, float b) { return a + -2 * b; });
      backend->addScaled(count, -2, at(x), at(y));
      checkClose(valuesOf(y), expected, 1e-6);
    }
  }
}

TEST_CASE("multiply works element by element and may work in place") {
  FOR_EACH_BACKEND(backend) {
    for (const auto count : counts) {
      const Tensor a = randomTensor(*backend, {count}, 1);
      const Tensor b = randomTensor(*backend, {count}, 2);
      const Tensor y = room(*backend, {count});
      const auto expected =
          combined(valuesOf(a), valuesOf(b), [](float left, float right) { return left * right; });
      backend->multiply(count, at(a), at(b), at(y));
      CHECK(valuesOf(y) == expected);
      backend->multiply(count, at(a), at(b), at(a));
      CHECK(valuesOf(a) == expected);
    }
  }
}

}  // namespace torchette::testing

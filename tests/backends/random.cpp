// Random numbers, which all backends draw from the host's stream.
#include <doctest/doctest.h>

#include "runtime/generator.h"
#include "tests/backends/operands.h"

namespace torchette::testing {

namespace {

/// None, one, and more than fits the buffer between host and device.
const std::vector<std::int64_t> counts{0, 1, 10000};

}  // namespace

TEST_CASE("fillUniform draws each element in order from the stream") {
  FOR_EACH_BACKEND(backend) {
    for (const auto count : counts) {
      Generator expected(7);
      Generator generator(7);
      const Tensor y = room(*backend, {count});
      backend->fillUniform(count, generator, -2, 3, at(y));
      for (const float value : valuesOf(y)) {
        CHECK(value == static_cast<float>(expected.uniform(-2, 3)));
      }
      CHECK(generator.state() == expected.state());
    }
  }
}

TEST_CASE("fillBernoulli draws each element in order from the stream") {
  FOR_EACH_BACKEND(backend) {
    for (const auto count : counts) {
      Generator expected(7);
      Generator generator(7);
      const Tensor y = room(*backend, {count});
      backend->fillBernoulli(count, generator, 0.3, 2.5F, at(y));
      for (const float value : valuesOf(y)) {
        CHECK(value == (expected.bernoulli(0.3) ? 2.5F : 0.0F));
      }
      CHECK(generator.state() == expected.state());
    }
  }
}

}  // namespace torchette::testing

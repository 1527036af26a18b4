// Making tensors for tests and comparing their values.
#include "tests/support/test_tensors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "runtime/generator.h"

namespace torchette::testing {

namespace {

double largestMagnitude(const std::vector<float>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

/// The deviation in units of `scale`; infinite if one of the two is not finite and the other
/// differs.
double deviation(double actual, double expected, double scale) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected))) return 0;
  if (!std::isfinite(actual) || !std::isfinite(expected) || scale == 0) {
    return std::numeric_limits<double>::infinity();
  }
  return std::abs(actual - expected) / scale;
}

}  // namespace

Tensor tensor(const std::shared_ptr<Allocator>& allocator, const Shape& shape,
              const std::vector<float>& values) {
  return Tensor::fromValues(allocator, shape, values);
}

std::vector<float> randomValues(std::int64_t elements, std::uint32_t seed) {
  Generator generator(seed);
  std::vector<float> values(static_cast<std::size_t>(elements));
  // 24 bits fill a float exactly, so that rounding never gives 1.
  for (auto& value : values) {
    value = static_cast<float>(generator.random() >> 8) / 8388608.0F - 1.0F;
  }
  return values;
}

std::vector<float> valuesOf(const Tensor& tensor) { return tensor.values<float>(); }

std::string differenceBetween(const std::vector<float>& actual, const std::vector<float>& expected,
                              double tolerance) {
  std::ostringstream text;
  text.precision(std::numeric_limits<float>::max_digits10);
  if (actual.size() != expected.size()) {
    text << "got " << actual.size() << " values, expected " << expected.size();
    return text.str();
  }
  const double floor = largestMagnitude(expected) / 10;
  std::size_t worst = 0;
  double worstDeviation = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double scale = std::max<double>(std::abs(expected[i]), floor);
    const double found = deviation(actual[i], expected[i], scale);
    if (found > tolerance) ++wrong;
    if (found > worstDeviation) {
      worst = i;
      worstDeviation = found;
    }
  }
  if (wrong == 0) return "";
  text << wrong << " of " << actual.size() << " values differ; worst at index " << worst << ": got "
       << actual[worst] << ", expected " << expected[worst] << ", deviation " << worstDeviation
       << ", tolerance " << tolerance;
  return text.str();
}

void checkClose(const std::vector<float>& actual, const std::vector<float>& expected,
                double tolerance, const char* file, int line) {
  const auto difference = differenceBetween(actual, expected, tolerance);
  if (difference.empty()) {
    CHECK(difference.empty());  // counts the assertion
  } else {
    ADD_FAIL_CHECK_AT(file, line, difference);
  }
}

}  // namespace torchette::testing

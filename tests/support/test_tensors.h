// Tensors with known content, and the comparison of what came out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/tensor.h"

namespace torchette::testing {

/// A contiguous tensor holding `values` in row-major order.
Tensor tensor(const std::shared_ptr<Allocator>& allocator, const Shape& shape,
              const std::vector<float>& values);

/// `elements` numbers uniform in [-1, 1); the same for the same seed.
std::vector<float> randomValues(std::int64_t elements, std::uint32_t seed);

/// All elements in row-major order.
std::vector<float> valuesOf(const Tensor& tensor);

/// Fails the test case, without ending it, unless for each i
///   |actual[i] - expected[i]| <= tolerance * max(|expected[i]|, largest |expected| / 10).
/// The tolerance is thus relative to the element, and relative to the array for elements that are
/// small because large terms cancelled. Zeros only are met by zeros only; an infinity or NaN is met
/// by itself only. The message gives file and line of the caller, the worst index and both values.
void checkClose(const std::vector<float>& actual, const std::vector<float>& expected,
                double tolerance, const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// What is wrong, for checkClose; empty if nothing is.
std::string differenceBetween(const std::vector<float>& actual, const std::vector<float>& expected,
                              double tolerance);

}  // namespace torchette::testing

// Tensors as operands of backend operations.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "tests/support/test_backend.h"

namespace torchette::testing {

/// Room for a result; holds NaN, so that an element that is not written, or is read before, shows.
inline Tensor room(Backend& backend, const Shape& shape) {
  const std::vector<float> values(shape.elements(), std::numeric_limits<float>::quiet_NaN());
  return tensor(backend, shape, values);
}

inline Tensor indexTensor(Backend& backend, const std::vector<std::int64_t>& values) {
  return Tensor::fromValues(backend.allocator(), {static_cast<std::int64_t>(values.size())},
                            values);
}

inline float* at(const Tensor& tensor) { return tensor.data<float>(); }

/// `values` with each one replaced by function(value), computed in double.
template <class Function>
std::vector<float> mapped(std::vector<float> values, const Function& function) {
  for (float& value : values) value = static_cast<float>(function(static_cast<double>(value)));
  return values;
}

}  // namespace torchette::testing

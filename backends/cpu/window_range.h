// Where a sliding window meets an image, along one axis.
#pragma once

#include <cstdint>
#include <type_traits>

#include "backends/kernels/window_axis.h"

namespace torchette::cpu {

using kernels::Range;
using kernels::WindowAxis;

/// Calls body with the stride, as a compile-time constant where that lets loops vectorise.
template <class Body>
void withStride(std::int64_t stride, const Body& body) {
  if (stride == 1) return body(std::integral_constant<std::int64_t, 1>());
  if (stride == 2) return body(std::integral_constant<std::int64_t, 2>());
  body(stride);
}

}  // namespace torchette::cpu

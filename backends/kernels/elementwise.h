// Operations element by element, without a non-linearity. They run on a grid of one row.
#pragma once

#include <cstdint>

#include "backends/kernels/qualifier.h"

namespace torchette::kernels {

/// y = value
struct Fill {
  float value;
  float* y;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t i) const {
    y[i] = value;
  }
};

/// y = alpha x; y may be x.
struct Scale {
  float alpha;
  const float* x;
  float* y;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t i) const {
    y[i] = alpha * x[i];
  }
};

/// y += alpha x
struct AddScaled {
  float alpha;
  const float* x;
  float* y;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t i) const {
    y[i] += alpha * x[i];
  }
};

/// y = a b; y may be a or b.
struct Multiply {
  const float* a;
  const float* b;
  float* y;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t i) const {
    y[i] = a[i] * b[i];
  }
};

/// c = beta c for a matrix with rows `ldc` apart; beta 0 does not read c. Grid: 1 x rows x columns.
struct ScaleMatrix {
  float beta;
  float* c;
  std::int64_t ldc;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t row, std::int64_t column) const {
    float& element = c[row * ldc + column];
    element = beta == 0 ? 0 : beta * element;
  }
};

}  // namespace torchette::kernels

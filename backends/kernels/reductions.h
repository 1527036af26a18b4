// Sums over planes in two steps: partial sums of chunks, then their sum. No atomics, and the order
// of additions is fixed.
#pragma once

#include <cstdint>

#include "backends/kernels/geometry.h"
#include "backends/kernels/qualifier.h"
#include "backends/kernels/scratch.h"

namespace torchette::kernels {

/// Two sums over the same elements.
struct SumPair {
  double first = 0, second = 0;

  TORCHETTE_KERNEL SumPair& operator+=(const SumPair& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};

/// partials[plane][chunk] = sum of every chunks-th term from number `chunk` on, so that neighbours
/// read neighbouring elements. A Term says what it sums to (Sum) and gives term(plane, nth).
/// Grid: 1 x planes of the range x chunks.
template <class Term>
struct PartialSums {
  using Sum = typename Term::Sum;

  Term term;
  PlaneChunks range;
  Sum* partials;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t row, std::int64_t chunk) const {
    Sum sum{};
    for (std::int64_t nth = chunk; nth < range.elements; nth += range.chunks) {
      sum += term(range.firstPlane + row, nth);
    }
    partials[row * range.chunks + chunk] = sum;
  }
};

/// Calls finish(plane, sum of its partial sums). Grid: one row, the planes of the range.
template <class Sum, class Finish>
struct CombinedSums {
  Finish finish;
  PlaneChunks range;
  const Sum* partials;

  TORCHETTE_KERNEL void operator()(std::int64_t, std::int64_t, std::int64_t planeOfRange) const {
    Sum sum{};
    for (std::int64_t chunk = 0; chunk < range.chunks; ++chunk) {
      sum += partials[planeOfRange * range.chunks + chunk];
    }
    finish(range.firstPlane + planeOfRange, sum);
  }
};

/// Keeps the sums of a range, by plane - firstPlane.
template <class Sum>
struct StoreSum {
  std::int64_t firstPlane;
  Sum* totals;

  TORCHETTE_KERNEL void operator()(std::int64_t plane, const Sum& sum) const {
    totals[plane - firstPlane] = sum;
  }
};

/// The values themselves.
struct PlaneValue {
  using Sum = double;

  PlanesGeometry geometry;
  const float* values;

  TORCHETTE_KERNEL double operator()(std::int64_t plane, std::int64_t nth) const {
    return values[geometry.index(plane, nth)];
  }
};

}  // namespace torchette::kernels

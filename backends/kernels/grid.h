// The points at which a kernel runs.
#pragma once

#include <cstdint>

namespace torchette {

/// A kernel runs once at each (plane, row, column) with indices below these extents, in any order
/// and at any number of points at once. Neighbouring columns should touch neighbouring memory.
struct KernelGrid {
  std::int64_t planes = 1, rows = 1, columns = 1;

  std::int64_t points() const { return planes * rows * columns; }
};

/// A grid of one row.
inline KernelGrid rowOf(std::int64_t elements) { return {1, 1, elements}; }

}  // namespace torchette

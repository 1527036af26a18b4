// Loops over tensors seen as samples x planes x pixels, with work that is the same within a plane.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "backends/cpu/lanes.h"
#include "backends/kernels/geometry.h"

namespace torchette::cpu {

/// Planes [begin, end) that are worked on together, so that per-plane values fit on the stack and
/// what the planes hold stays in cache between two passes.
struct PlanesBlock {
  static constexpr std::int64_t capacity = 256;

  std::int64_t begin = 0, end = 0;

  std::int64_t planes() const { return end - begin; }
};

/// One value for each plane of a block, by plane - block.begin.
template <class T>
using PerPlane = std::array<T, PlanesBlock::capacity>;

/// Calls body(block) for blocks that cover all planes, in parallel.
template <class Body>
void forEachPlanesBlock(int lanes, const PlanesGeometry& geometry, const Body& body) {
  constexpr std::int64_t cachedElements = 65536;
  constexpr std::int64_t narrowest =
      16;  // with one pixel, a block narrower than a cache line wastes it
  const std::int64_t planeElements = geometry.samples * geometry.pixels;
  const std::int64_t blockPlanes =
      std::clamp(cachedElements / std::max<std::int64_t>(1, planeElements),
                 geometry.pixels == 1 ? narrowest : 1, PlanesBlock::capacity);
  parallelFor(lanes, geometry.planes, grainFor(planeElements),
              [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t plane = begin; plane < end; plane += blockPlanes) {
                  body(PlanesBlock{plane, std::min(plane + blockPlanes, end)});
                }
              });
}

/// For every element of the block: workOf(plane)(index of the element). workOf is called once for
/// many elements and should look up there what depends on the plane. Elements may be visited in any
/// order.
template <class WorkOf>
void forEachElement(const PlanesGeometry& geometry, const PlanesBlock& block,
                    const WorkOf& workOf) {
  for (std::int64_t sample = 0; sample < geometry.samples; ++sample) {
    const std::int64_t firstPlane = sample * geometry.planes;
    if (geometry.pixels == 1) {
#pragma omp simd
      for (std::int64_t plane = block.begin; plane < block.end; ++plane) {
        workOf(plane)(firstPlane + plane);
      }
      continue;
    }
    for (std::int64_t plane = block.begin; plane < block.end; ++plane) {
      const auto work = workOf(plane);
      const std::int64_t start = (firstPlane + plane) * geometry.pixels;
#pragma omp simd
      for (std::int64_t i = start; i < start + geometry.pixels; ++i) work(i);
    }
  }
}

/// For every plane of the block, the sum of termOf(plane)(index) over its elements.
template <class TermOf>
PerPlane<double> sumPlanes(const PlanesGeometry& geometry, const PlanesBlock& block,
                           const TermOf& termOf) {
  PerPlane<double> sums;
  std::fill_n(sums.begin(), block.planes(), 0.0);
  for (std::int64_t sample = 0; sample < geometry.samples; ++sample) {
    const std::int64_t firstPlane = sample * geometry.planes;
    if (geometry.pixels == 1) {
#pragma omp simd
      for (std::int64_t plane = block.begin; plane < block.end; ++plane) {
        sums[plane - block.begin] += termOf(plane)(firstPlane + plane);
      }
      continue;
    }
    for (std::int64_t plane = block.begin; plane < block.end; ++plane) {
      const auto term = termOf(plane);
      const std::int64_t start = (firstPlane + plane) * geometry.pixels;
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t i = start; i < start + geometry.pixels; ++i) sum += term(i);
      sums[plane - block.begin] += sum;
    }
  }
  return sums;
}

}  // namespace torchette::cpu

// The windows of pooling over one plane.
#pragma once

#include <algorithm>

#include "backends/cpu/lanes.h"
#include "backends/cpu/window_range.h"
#include "backends/kernels/geometry.h"

namespace torchette::cpu {

/// Both axes of a pooling, and the windows that are inside the plane along each.
struct PlaneWindows {
  explicit PlaneWindows(const PoolingGeometry& geometry)
      : down{geometry.window.kH, geometry.window.dH, geometry.window.padH, geometry.height,
             geometry.outputHeight},
        across{geometry.window.kW, geometry.window.dW, geometry.window.padW, geometry.width,
               geometry.outputWidth} {}

  std::int64_t inputElements() const { return down.extent * across.extent; }
  std::int64_t outputElements() const { return down.positions * across.positions; }

  WindowAxis down, across;
  Range ysInside = down.positionsInside();
  Range xsInside = across.positionsInside();
};

/// Calls body(windows, plane) for each plane, in parallel.
template <class Body>
void forEachPlane(int lanes, const PoolingGeometry& geometry, const Body& body) {
  const PlaneWindows windows(geometry);
  const std::int64_t windowElements = geometry.window.kH * geometry.window.kW;
  const std::int64_t planeElements =
      std::max(windows.inputElements(), windows.outputElements() * windowElements);
  parallelFor(lanes, geometry.planes, grainFor(planeElements),
              [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t plane = begin; plane < end; ++plane) body(windows, plane);
              });
}

}  // namespace torchette::cpu

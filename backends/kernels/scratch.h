// How sums over planes are cut into chunks, so that their partial sums fit one block of scratch.
#pragma once

#include <cstdint>

#include "backends/kernels/window_axis.h"

namespace torchette::kernels {

/// Size of the block that a backend holds for each lane, whatever the sizes of its operands.
constexpr std::int64_t scratchBytes = std::int64_t{256} * 1024;

/// Planes [firstPlane, firstPlane + planes) that are summed together, each of `elements` elements
/// dealt out to `chunks` partial sums.
struct PlaneChunks {
  std::int64_t firstPlane = 0, planes = 0;
  std::int64_t elements = 0, chunks = 1;

  std::int64_t endPlane() const { return firstPlane + planes; }
};

/// The first range of planes from `firstPlane` on. Scratch holds a total and the chunks' partial
/// sums, of `sumBytes` each, for every plane of a range.
inline PlaneChunks planeChunksFrom(std::int64_t firstPlane, std::int64_t allPlanes,
                                   std::int64_t elements, std::int64_t sumBytes) {
  constexpr std::int64_t elementsWorthAChunk = 64;
  constexpr std::int64_t mostChunks = 1024;
  const std::int64_t capacity = scratchBytes / sumBytes;
  const std::int64_t fitting = capacity / larger(1, allPlanes) - 1;
  const std::int64_t useful = smaller(elements / elementsWorthAChunk, mostChunks);
  const std::int64_t chunks = larger(1, smaller(fitting, useful));
  return {firstPlane, smaller(allPlanes - firstPlane, capacity / (chunks + 1)), elements, chunks};
}

}  // namespace torchette::kernels

// What a dataset knows of itself.
#include "examples/data/dataset.h"

#include <zlib.h>

#include <algorithm>

#include "runtime/errors.h"

namespace torchette::data {

int Dataset::largestLabel() const {
  return labels.empty() ? -1 : *std::ranges::max_element(labels);
}

std::uint32_t Dataset::checksum() const {
  const auto sizes = std::to_string(count) + "x" + sampleShape().toString();
  auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(sizes.data()), sizes.size());
  sum = crc32_z(sum, pixels.data(), pixels.size());
  return static_cast<std::uint32_t>(crc32_z(sum, labels.data(), labels.size()));
}

void Dataset::limit(std::int64_t images) {
  if (images < 1) {
    throw ArgumentError("data",
                        "cannot be limited to " + std::to_string(images) + " images; at least 1");
  }
  count = std::min(count, images);
  pixels.resize(static_cast<std::size_t>(count * pixelsPerImage()));
  labels.resize(static_cast<std::size_t>(count));
}

}  // namespace torchette::data

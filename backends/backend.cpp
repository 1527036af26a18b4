#include "backends/backend.h"

#include <algorithm>
#include <array>

namespace torchette {

namespace {

/// Fills device memory with draw() in order, by way of a small host buffer.
template <class Draw>
void fillFromHost(Device& device, std::int64_t elements, float* y, const Draw& draw) {
  std::array<float, 4096> values;
  for (std::int64_t begin = 0; begin < elements; begin += std::ssize(values)) {
    const auto count = std::min<std::int64_t>(std::ssize(values), elements - begin);
    std::generate_n(values.begin(), count, draw);
    device.copyFromHost(y + begin, values.data(), count * std::int64_t{sizeof(float)});
  }
}

}  // namespace

void Backend::fillUniform(std::int64_t elements, Generator& generator, double from, double to,
                          float* y) {
  fillFromHost(device(), elements, y,
               [&] { return static_cast<float>(generator.uniform(from, to)); });
}

void Backend::fillBernoulli(std::int64_t elements, Generator& generator, double p, float value,
                            float* y) {
  fillFromHost(device(), elements, y, [&] { return generator.bernoulli(p) ? value : 0.0F; });
}

}  // namespace torchette

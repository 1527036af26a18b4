// Random small networks, for properties that hold of any network.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/shape.h"

namespace torchette::testing {

struct RandomNetwork {
  std::string expression;
  Shape sample;  ///< planes x height x width
};

/// Spatial layers that fit each other, then View and Linear to a few classes. The same for the same
/// seed.
RandomNetwork randomNetwork(std::uint32_t seed);

}  // namespace torchette::testing

// What can be chosen of a simulated GPU.
#pragma once

#include <cstdint>
#include <limits>

namespace torchette {

struct SimulatedDeviceOptions {
  /// The host may touch memory only during operations and copies, and fresh memory holds NaN.
  bool strict = false;
  /// The card's size.
  std::int64_t capacityBytes = std::numeric_limits<std::int64_t>::max();
};

/// The order in which the points of a kernel's grid run. A correct kernel gives the same bits in
/// each.
enum class PointOrder { inOrder, reversed, shuffled };

struct SimulatedOptions {
  PointOrder order = PointOrder::inOrder;
  std::uint32_t seed = 1;  ///< of the shuffled order
};

}  // namespace torchette

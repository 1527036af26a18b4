// ArenaPlan: offsets for storages in one arena, such that no two that are needed at once overlap.
#pragma once

#include <vector>

#include "backends/storage_lifetime.h"

namespace torchette::nn {

struct ArenaPlan {
  struct Region {
    StorageLifetime lifetime;
    std::int64_t offsetBytes = 0;  ///< a multiple of ArenaPlan::alignment
  };

  static constexpr std::int64_t alignment = 64;

  std::vector<Region> regions;
  std::int64_t arenaBytes = 0;
  /// The most bytes that are needed at once: no plan can do with less.
  std::int64_t largestLiveBytes = 0;
};

/// Places the storages one by one into the smallest gap that fits, in several orders (large first,
/// long-lived first, in order of use), and keeps the smallest arena.
ArenaPlan planArena(const std::vector<StorageLifetime>& lifetimes);

/// Throws StateError, naming both, if two storages that are needed at once overlap or one leaves
/// the arena.
void requireDisjoint(const ArenaPlan& plan);

}  // namespace torchette::nn

#include "layers/arena_plan.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "runtime/errors.h"

namespace torchette::nn {

namespace {

using Region = ArenaPlan::Region;
using Order = std::function<bool(const StorageLifetime&, const StorageLifetime&)>;

std::int64_t alignedBytes(std::int64_t bytes) {
  return (bytes + ArenaPlan::alignment - 1) / ArenaPlan::alignment * ArenaPlan::alignment;
}

std::int64_t endOf(const Region& region) {
  return region.offsetBytes + alignedBytes(region.lifetime.bytes);
}

/// The offset of the smallest gap between the neighbours that fits, else the end of the last one.
/// `neighbours` are ordered by offset.
std::int64_t bestOffset(const std::vector<const Region*>& neighbours, std::int64_t bytes) {
  std::int64_t end = 0, bestGap = std::numeric_limits<std::int64_t>::max(), best = -1;
  for (const auto* neighbour : neighbours) {
    const auto gap = neighbour->offsetBytes - end;
    if (gap >= bytes && gap < bestGap) {
      bestGap = gap;
      best = end;
    }
    end = std::max(end, endOf(*neighbour));
  }
  return best >= 0 ? best : end;
}

ArenaPlan planInOrder(std::vector<StorageLifetime> lifetimes, const Order& comesBefore) {
  std::ranges::stable_sort(lifetimes, comesBefore);
  ArenaPlan plan;
  plan.regions.reserve(lifetimes.size());
  for (const auto& lifetime : lifetimes) {
    std::vector<const Region*> neighbours;
    for (const auto& region : plan.regions) {
      if (region.lifetime.overlaps(lifetime)) neighbours.push_back(&region);
    }
    std::ranges::sort(neighbours, {}, &Region::offsetBytes);
    const auto offset = bestOffset(neighbours, alignedBytes(lifetime.bytes));
    plan.regions.push_back({lifetime, offset});
    plan.arenaBytes = std::max(plan.arenaBytes, endOf(plan.regions.back()));
  }
  return plan;
}

/// The largest sum is reached where some storage is first used.
std::int64_t largestLiveBytes(const std::vector<StorageLifetime>& lifetimes) {
  std::int64_t largest = 0;
  for (const auto& start : lifetimes) {
    std::int64_t live = 0;
    for (const auto& other : lifetimes) {
      const bool isLive = other.firstUse <= start.firstUse && start.firstUse <= other.lastUse;
      if (isLive) live += other.bytes;
    }
    largest = std::max(largest, live);
  }
  return largest;
}

}  // namespace

ArenaPlan planArena(const std::vector<StorageLifetime>& lifetimes) {
  const auto duration = [](const StorageLifetime& l) { return l.lastUse - l.firstUse; };
  const std::vector<Order> orders = {
      [](const auto& a, const auto& b) { return a.bytes > b.bytes; },
      [&](const auto& a, const auto& b) { return duration(a) > duration(b); },
      [](const auto& a, const auto& b) { return a.firstUse < b.firstUse; },
  };
  ArenaPlan best;
  for (const auto& order : orders) {
    auto plan = planInOrder(lifetimes, order);
    if (&order == &orders.front() || plan.arenaBytes < best.arenaBytes) best = std::move(plan);
  }
  best.largestLiveBytes = largestLiveBytes(lifetimes);
  return best;
}

void requireDisjoint(const ArenaPlan& plan) {
  const auto name = [](const Region& r) { return r.lifetime.owner + " " + r.lifetime.field; };
  for (const auto& a : plan.regions) {
    if (a.offsetBytes < 0 || a.offsetBytes + a.lifetime.bytes > plan.arenaBytes) {
      throw StateError("memory plan", name(a) + " leaves the arena of " +
                                          std::to_string(plan.arenaBytes) + " bytes");
    }
    for (const auto& b : plan.regions) {
      const bool areApart = endOf(a) <= b.offsetBytes || endOf(b) <= a.offsetBytes;
      if (&a != &b && !areApart && a.lifetime.overlaps(b.lifetime)) {
        throw StateError("memory plan",
                         name(a) + " and " + name(b) + " overlap while both are needed");
      }
    }
  }
}

}  // namespace torchette::nn

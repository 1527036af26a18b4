// Offsets in an arena: never two needed things in one place, and hardly more than the largest live
// set.
#include "layers/arena_plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "runtime/errors.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

using nn::ArenaPlan;
using Region = ArenaPlan::Region;

StorageLifetime lifetime(const std::string& field, std::int64_t bytes, std::int64_t firstUse,
                         std::int64_t lastUse) {
  return {.owner = "net", .field = field, .bytes = bytes, .firstUse = firstUse, .lastUse = lastUse};
}

/// Whether two regions hold the same byte while both are needed.
bool doCollide(const Region& a, const Region& b) {
  const bool isSameTime =
      a.lifetime.firstUse <= b.lifetime.lastUse && b.lifetime.firstUse <= a.lifetime.lastUse;
  const bool isSamePlace = a.offsetBytes < b.offsetBytes + b.lifetime.bytes &&
                           b.offsetBytes < a.offsetBytes + a.lifetime.bytes;
  return isSameTime && isSamePlace;
}

/// What holds of every plan.
void checkSound(const ArenaPlan& plan, std::size_t storages) {
  CHECK(plan.regions.size() == storages);
  CHECK(plan.arenaBytes >= plan.largestLiveBytes);
  bool isAligned = true, isInside = true, isDisjoint = true;
  for (std::size_t i = 0; i < plan.regions.size(); ++i) {
    const auto& region = plan.regions[i];
    isAligned = isAligned && region.offsetBytes % ArenaPlan::alignment == 0;
    isInside = isInside && region.offsetBytes >= 0 &&
               region.offsetBytes + region.lifetime.bytes <= plan.arenaBytes;
    for (std::size_t j = 0; j < i; ++j) {
      isDisjoint = isDisjoint && !doCollide(region, plan.regions[j]);
    }
  }
  CHECK(isAligned);
  CHECK(isInside);
  CHECK(isDisjoint);
  nn::requireDisjoint(plan);
}

ArenaPlan soundPlan(const std::vector<StorageLifetime>& lifetimes) {
  auto plan = nn::planArena(lifetimes);
  checkSound(plan, lifetimes.size());
  return plan;
}

std::vector<StorageLifetime> randomLifetimes(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t end) { return static_cast<std::int64_t>(random() % end); };
  std::vector<StorageLifetime> lifetimes;
  const auto storages = 5 + below(60);
  for (std::int64_t i = 0; i < storages; ++i) {
    const auto firstUse = below(50);
    lifetimes.push_back(
        lifetime(std::to_string(i), 1 + below(100000), firstUse, firstUse + below(10)));
  }
  return lifetimes;
}

Region regionAt(std::int64_t offset, const StorageLifetime& lifetime) { return {lifetime, offset}; }

}  // namespace

TEST_CASE("a chain needs the largest two neighbours") {
  const auto plan = soundPlan({lifetime("a", 256, 0, 1), lifetime("b", 128, 1, 2),
                               lifetime("c", 192, 2, 3), lifetime("d", 64, 3, 4)});
  CHECK(plan.largestLiveBytes == 384);
  CHECK(plan.arenaBytes == 384);
}

TEST_CASE("a fork keeps its trunk until both branches are done") {
  const auto plan = soundPlan({lifetime("trunk", 640, 0, 4), lifetime("left", 320, 1, 5),
                               lifetime("scratch", 128, 2, 3), lifetime("right", 320, 4, 5),
                               lifetime("sum", 320, 5, 6), lifetime("after", 640, 6, 7)});
  CHECK(plan.largestLiveBytes == 1280);
  CHECK(plan.arenaBytes == 1280);
}

TEST_CASE("a chain of equal sizes takes two places in turn") {
  std::vector<StorageLifetime> lifetimes;
  for (std::int64_t i = 0; i < 10; ++i) {
    lifetimes.push_back(lifetime(std::to_string(i), 1024, i, i + 1));
  }
  CHECK(soundPlan(lifetimes).arenaBytes == 2048);
}

TEST_CASE("storages that are all needed at once lie side by side on aligned offsets") {
  const auto plan =
      soundPlan({lifetime("a", 1, 0, 2), lifetime("b", 65, 1, 2), lifetime("c", 64, 2, 2)});
  CHECK(plan.largestLiveBytes == 130);
  CHECK(plan.arenaBytes == 64 + 128 + 64);
}

TEST_CASE("nothing needs no arena") {
  const auto plan = soundPlan({});
  CHECK(plan.arenaBytes == 0);
  CHECK(plan.largestLiveBytes == 0);
}

TEST_CASE("storages that overlap while both are needed are refused by name") {
  const auto early = lifetime("early", 128, 0, 3), late = lifetime("late", 128, 3, 5),
             later = lifetime("later", 128, 4, 5);
  checkThrows<StateError>(
      [&] {
        nn::requireDisjoint({.regions = {regionAt(0, early), regionAt(64, late)},
                             .arenaBytes = 256,
                             .largestLiveBytes = 256});
      },
      {"memory plan", "net early and net late overlap"});
  nn::requireDisjoint({.regions = {regionAt(0, early), regionAt(64, later)},
                       .arenaBytes = 256,
                       .largestLiveBytes = 128});
  nn::requireDisjoint({.regions = {regionAt(0, early), regionAt(128, late)},
                       .arenaBytes = 256,
                       .largestLiveBytes = 256});
}

TEST_CASE("a storage that leaves the arena is refused by name") {
  for (const std::int64_t offset : {-64, 192}) {
    CAPTURE(offset);
    checkThrows<StateError>(
        [&] {
          nn::requireDisjoint({.regions = {regionAt(offset, lifetime("lost", 128, 0, 1))},
                               .arenaBytes = 256,
                               .largestLiveBytes = 128});
        },
        {"net lost leaves the arena of 256 bytes"});
  }
}

TEST_CASE("random lifetimes never collide and stay near the lower bound") {
  double worst = 0;
  std::uint32_t worstSeed = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    const auto plan = soundPlan(randomLifetimes(seed));
    const auto ratio =
        static_cast<double>(plan.arenaBytes) / static_cast<double>(plan.largestLiveBytes);
    if (ratio <= worst) continue;
    worst = ratio;
    worstSeed = seed;
  }
  MESSAGE("seeds 1 to 400: at worst " << worst << " times the lower bound, with seed "
                                      << worstSeed);
  CHECK(worst <= 1.5);
}

}  // namespace torchette::testing

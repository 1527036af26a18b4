// Ledger against a model: a random sequence of allocations, frees and peak resets.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "runtime/ledger.h"

namespace torchette {

namespace {

using BytesByHolder = std::map<std::pair<std::string, std::string>, std::int64_t>;

/// The simplest ledger: lists everything anew whenever it is asked, and copies the holders at each
/// peak.
class ModelLedger {
 public:
  void allocate(std::size_t place, std::int64_t bytes, const AllocationTag& tag) {
    live_[place] = {{tag.owner, tag.field}, bytes};
    if (liveBytes() >= totalOf(peak_)) peak_ = holders();
  }
  void free(std::size_t place) { live_.erase(place); }
  void resetPeak() { peak_ = holders(); }

  bool isLive(std::size_t place) const { return live_.contains(place); }
  std::int64_t liveBytes() const { return totalOf(holders()); }
  std::int64_t peakBytes() const { return totalOf(peak_); }
  const BytesByHolder& peak() const { return peak_; }

  BytesByHolder holders() const {
    BytesByHolder result;
    for (const auto& [place, entry] : live_) result[entry.first] += entry.second;
    return result;
  }

 private:
  static std::int64_t totalOf(const BytesByHolder& holders) {
    std::int64_t total = 0;
    for (const auto& [name, bytes] : holders) total += bytes;
    return total;
  }

  std::map<std::size_t, std::pair<std::pair<std::string, std::string>, std::int64_t>> live_;
  BytesByHolder peak_;
};

BytesByHolder asMap(const std::vector<Holding>& holdings) {
  BytesByHolder result;
  for (const auto& [owner, field, bytes] : holdings) result[{owner, field}] += bytes;
  return result;
}

std::int64_t totalOf(const std::vector<Holding>& holdings) {
  std::int64_t total = 0;
  for (const auto& holding : holdings) total += holding.bytes;
  return total;
}

bool isLargestFirst(const std::vector<Holding>& holdings) {
  return std::ranges::is_sorted(holdings, std::ranges::greater{}, &Holding::bytes);
}

/// One REQUIRE for all properties, so that a long sequence stays fast.
bool agree(const Ledger& ledger, const ModelLedger& model) {
  const auto live = ledger.liveHoldings();
  const auto peak = ledger.peakHoldings();
  return ledger.liveBytes() == model.liveBytes() && ledger.peakBytes() == model.peakBytes() &&
         totalOf(live) == ledger.liveBytes() && totalOf(peak) == ledger.peakBytes() &&
         asMap(live) == model.holders() && asMap(peak) == model.peak() && isLargestFirst(live) &&
         isLargestFirst(peak);
}

}  // namespace

TEST_CASE("a random sequence of allocations and frees agrees with a simple model at every step") {
  constexpr std::size_t places = 24;
  const std::array<char, places> addresses{};
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    std::mt19937 engine(seed);
    Ledger ledger;
    ModelLedger model;
    for (int step = 0; step < 1000; ++step) {
      CAPTURE(seed);
      CAPTURE(step);
      const std::size_t place = engine() % places;
      if (engine() % 100 == 0) {
        ledger.resetPeak();
        model.resetPeak();
      } else if (model.isLive(place)) {
        ledger.recordFree(&addresses[place]);
        model.free(place);
      } else {
        const AllocationTag tag{"net/" + std::to_string(engine() % 4),
                                engine() % 2 == 0 ? "output" : "finput"};
        const std::int64_t bytes = 4 * (1 + engine() % 8);
        ledger.recordAllocation(&addresses[place], bytes, tag);
        model.allocate(place, bytes, tag);
      }
      REQUIRE(agree(ledger, model));
    }
  }
}

}  // namespace torchette

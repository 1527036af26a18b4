// Ledger: live and peak bytes, who holds them, events.
#include "runtime/ledger.h"

#include <doctest/doctest.h>

#include <array>
#include <thread>

#include "runtime/allocators.h"
#include "runtime/owner_scope.h"
#include "runtime/tensor.h"
#include "tests/support/test_memory.h"

namespace torchette {

using Kind = LedgerEvent::Kind;

namespace {

/// Distinct addresses to record under; nothing is stored there.
class Addresses {
 public:
  const void* operator[](std::size_t i) const { return &places_.at(i); }

 private:
  std::array<char, 64> places_{};
};

const Addresses at;

}  // namespace

TEST_CASE("a new ledger is empty") {
  const Ledger ledger;
  CHECK(ledger.liveBytes() == 0);
  CHECK(ledger.peakBytes() == 0);
  CHECK(ledger.liveHoldings().empty());
  CHECK(ledger.peakHoldings().empty());
}

TEST_CASE("live bytes follow allocations and frees and the peak stays") {
  Ledger ledger;
  ledger.recordAllocation(at[0], 100, {"net/a", "output"});
  ledger.recordAllocation(at[1], 50, {"net/b", "output"});
  CHECK(ledger.liveBytes() == 150);
  ledger.recordFree(at[0]);
  CHECK(ledger.liveBytes() == 50);
  CHECK(ledger.peakBytes() == 150);
  ledger.recordFree(at[1]);
  CHECK(ledger.liveBytes() == 0);
  CHECK(ledger.peakBytes() == 150);
}

TEST_CASE("holdings add up per owner and field and come largest first") {
  Ledger ledger;
  ledger.recordAllocation(at[0], 10, {"net/a", "output"});
  ledger.recordAllocation(at[1], 30, {"net/a", "finput"});
  ledger.recordAllocation(at[2], 15, {"net/a", "output"});
  ledger.recordAllocation(at[3], 40, {"net/b", "output"});
  CHECK(ledger.liveHoldings() == std::vector<Holding>{{"net/b", "output", 40},
                                                      {"net/a", "finput", 30},
                                                      {"net/a", "output", 25}});
}

TEST_CASE("a holder without live bytes is not listed") {
  Ledger ledger;
  ledger.recordAllocation(at[0], 10, {"net/a", "output"});
  ledger.recordAllocation(at[1], 20, {"net/b", "output"});
  ledger.recordFree(at[0]);
  CHECK(ledger.liveHoldings() == std::vector<Holding>{{"net/b", "output", 20}});
}

TEST_CASE("a free is credited to whoever allocated at that address") {
  Ledger ledger;
  ledger.recordAllocation(at[0], 10, {"net/a", "output"});
  ledger.recordFree(at[0]);
  ledger.recordAllocation(at[0], 20, {"net/b", "finput"});
  CHECK(ledger.liveHoldings() == std::vector<Holding>{{"net/b", "finput", 20}});
}

TEST_CASE("the holders of the peak are those of its moment") {
  Ledger ledger;
  ledger.recordAllocation(at[0], 100, {"net/a", "output"});
  ledger.recordAllocation(at[1], 50, {"net/b", "output"});
  ledger.recordFree(at[0]);
  ledger.recordAllocation(at[2], 60, {"net/c", "output"});
  CHECK(ledger.peakBytes() == 150);
  CHECK(ledger.peakHoldings() ==
        std::vector<Holding>{{"net/a", "output", 100}, {"net/b", "output", 50}});
}

TEST_CASE("a new peak replaces the holders of the old one") {
  Ledger ledger;
  ledger.recordAllocation(at[0], 100, {"net/a", "output"});
  ledger.recordFree(at[0]);
  ledger.recordAllocation(at[1], 70, {"net/b", "output"});
  CHECK(ledger.peakHoldings() == std::vector<Holding>{{"net/a", "output", 100}});
  ledger.recordAllocation(at[2], 40, {"net/c", "output"});
  CHECK(ledger.peakBytes() == 110);
  CHECK(ledger.peakHoldings() ==
        std::vector<Holding>{{"net/b", "output", 70}, {"net/c", "output", 40}});
  ledger.recordFree(at[1]);
  CHECK(ledger.peakHoldings() ==
        std::vector<Holding>{{"net/b", "output", 70}, {"net/c", "output", 40}});
}

TEST_CASE("a reset peak restarts from what is live") {
  Ledger ledger;
  ledger.recordAllocation(at[0], 100, {"net/a", "output"});
  ledger.recordAllocation(at[1], 50, {"net/b", "output"});
  ledger.recordFree(at[0]);
  ledger.resetPeak();
  CHECK(ledger.peakBytes() == 50);
  CHECK(ledger.peakHoldings() == std::vector<Holding>{{"net/b", "output", 50}});
  ledger.recordFree(at[1]);
  ledger.recordAllocation(at[2], 30, {"net/c", "output"});
  CHECK(ledger.peakBytes() == 50);
  CHECK(ledger.peakHoldings() == std::vector<Holding>{{"net/b", "output", 50}});
}

TEST_CASE("no events are kept until they are asked for") {
  Ledger ledger;
  ledger.recordAllocation(at[0], 10, {"net/a", "output"});
  CHECK(ledger.events().empty());
  ledger.startRecordingEvents();
  ledger.recordFree(at[0]);
  CHECK(ledger.events().size() == 1);
}

TEST_CASE("the ledger tells how many events there are and which phase they would carry") {
  Ledger ledger;
  ledger.startRecordingEvents();
  CHECK(ledger.eventCount() == 0);
  CHECK(ledger.phase().empty());
  ledger.beginPhase("forward");
  ledger.recordAllocation(at[0], 10, {"net/a", "output"});
  ledger.recordFree(at[0]);
  CHECK(ledger.eventCount() == 2);
  CHECK(ledger.phase() == "forward");
}

TEST_CASE("events carry kind and phase and holder and the live total") {
  Ledger ledger;
  ledger.startRecordingEvents();
  ledger.beginPhase("build");
  ledger.recordAllocation(at[0], 10, {"net/a", "weight"});
  ledger.beginPhase("forward");
  ledger.recordAllocation(at[1], 30, {"net/b", "output"});
  ledger.recordFree(at[0]);
  const auto events = ledger.events();
  REQUIRE(events.size() == 3);
  CHECK(events[0].kind == Kind::made);
  CHECK(events[0].phase == "build");
  CHECK(events[0].owner == "net/a");
  CHECK(events[0].field == "weight");
  CHECK(events[0].bytes == 10);
  CHECK(events[0].liveBytes == 10);
  CHECK(events[1].phase == "forward");
  CHECK(events[1].liveBytes == 40);
  CHECK(events[2].kind == Kind::freed);
  CHECK(events[2].phase == "forward");
  CHECK(events[2].owner == "net/a");
  CHECK(events[2].bytes == 10);
  CHECK(events[2].liveBytes == 30);
}

TEST_CASE("a storage that grows appears as made then grown then freed") {
  const auto recorded = std::make_shared<Ledger>();
  recorded->startRecordingEvents();
  const auto allocator = std::make_shared<TrackingAllocator>(testing::hostAllocator(), recorded);
  Tensor tensor(allocator, "output");
  tensor.resize({10});
  tensor.resize({20});
  tensor.clear();
  tensor.resize({5});
  tensor.clear();
  std::vector<std::pair<Kind, std::int64_t>> seen;
  for (const auto& event : recorded->events()) seen.emplace_back(event.kind, event.bytes);
  CHECK(seen == std::vector<std::pair<Kind, std::int64_t>>{{Kind::made, 40},
                                                           {Kind::grown, 80},
                                                           {Kind::freed, 40},
                                                           {Kind::freed, 80},
                                                           {Kind::made, 20},
                                                           {Kind::freed, 20}});
}

TEST_CASE("allocations without a storage never count as growth") {
  Ledger ledger;
  ledger.startRecordingEvents();
  ledger.recordAllocation(at[0], 10, {"net/a", "output"});
  ledger.recordAllocation(at[1], 20, {"net/a", "output"});
  CHECK(ledger.events().at(1).kind == Kind::made);
}

TEST_CASE("a storage that was released and filled again is made again") {
  Ledger ledger;
  ledger.startRecordingEvents();
  ledger.recordAllocation(at[0], 10, {"net/a", "output", {}, 7});
  ledger.recordFree(at[0]);
  ledger.recordAllocation(at[1], 20, {"net/a", "output", {}, 7});
  CHECK(ledger.events().at(2).kind == Kind::made);
}

TEST_CASE("threads may record at once and nothing is lost") {
  Ledger ledger;
  constexpr std::size_t threadCount = 4;
  constexpr int rounds = 500;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < threadCount; ++t) {
    threads.emplace_back([&ledger, t] {
      const AllocationTag tag{"net/" + std::to_string(t), "output"};
      for (int i = 0; i < rounds; ++i) {
        ledger.recordAllocation(at[2 * t], 16, tag);
        ledger.recordAllocation(at[2 * t + 1], 8, tag);
        ledger.recordFree(at[2 * t]);
        if (i + 1 < rounds) ledger.recordFree(at[2 * t + 1]);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(ledger.liveBytes() == 8 * threadCount);
  CHECK(ledger.liveHoldings().size() == threadCount);
  CHECK(ledger.peakBytes() <= 24 * static_cast<std::int64_t>(threadCount));
  CHECK(ledger.peakBytes() >= 24);
}

}  // namespace torchette

// PlanChecker: makes a wrong memory plan visible by poisoning each region when its content dies.
#pragma once

#include <cstring>
#include <vector>

#include "backends/operation_observer.h"
#include "layers/arena_plan.h"

namespace torchette::testing {

/// Watches a backend (RecordingBackend) and its device (RecordingDevice), in host memory, while a
/// planned network runs. Each region of the arena becomes NaN after the operation that the plan
/// calls its last use; an operation that still needs it computes with NaN.
class PlanChecker final : public OperationObserver {
 public:
  /// Fills the arena with NaN; the next operation is number 0 of the plan.
  void start(const nn::ArenaPlan& plan, void* arena) {
    regions_ = plan.regions;
    arena_ = static_cast<char*>(arena);
    operations_ = 0;
    poisonedRegions_ = 0;
    poison(0, plan.arenaBytes);
  }

  /// Since start().
  std::int64_t operations() const { return operations_; }
  std::int64_t poisonedRegions() const { return poisonedRegions_; }

 private:
  void beforeOperation(std::int64_t /*index*/, const Operation& /*operation*/) override {}

  void afterOperation(std::int64_t /*index*/, const Operation& /*operation*/) override {
    for (const auto& [lifetime, offsetBytes] : regions_) {
      if (lifetime.lastUse != operations_) continue;
      poison(offsetBytes, lifetime.bytes);
      ++poisonedRegions_;
    }
    ++operations_;
  }

  /// All bits set is a NaN.
  void poison(std::int64_t offsetBytes, std::int64_t bytes) const {
    std::memset(arena_ + offsetBytes, 0xFF, static_cast<std::size_t>(bytes));
  }

  std::vector<nn::ArenaPlan::Region> regions_;
  char* arena_ = nullptr;
  std::int64_t operations_ = 0, poisonedRegions_ = 0;
};

}  // namespace torchette::testing

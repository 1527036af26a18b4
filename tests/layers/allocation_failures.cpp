// When memory runs out in the middle of a training step, the call that failed has changed nothing,
// and can be made again.
#include <doctest/doctest.h>

#include "runtime/allocators.h"
#include "runtime/errors.h"
#include "tests/layers/training_run.h"

namespace torchette::testing {

namespace {

/// Makes the call; a call that fails for lack of memory must have changed nothing. Returns whether
/// it succeeded.
bool succeedsOrChangesNothing(const TrainingRun& run, const std::function<void()>& call) {
  const auto before = run.state();
  try {
    call();
    return true;
  } catch (const MemoryError&) {
    CHECK(run.state() == before);
    return false;
  }
}

/// Steps with `warmUp` samples (unless 0) and then with `samples`, in which the nth allocation
/// fails; the failed call is made again. Returns whether that many allocations were made.
bool failsAt(std::int64_t nth, const Backend& backend, nn::WorkspaceStrategy strategy,
             std::int64_t warmUp, std::int64_t samples, const TrainingState& expected) {
  CAPTURE(nth);
  const auto allocator = std::make_shared<FailingAllocator>(backend.allocator());
  TrainingRun run(backendOver(backend, allocator), strategy);
  if (warmUp > 0) run.step(warmUp);
  const auto calls = run.stepCalls(samples);
  allocator->failAt(nth);
  for (const auto& call : calls) {
    if (!succeedsOrChangesNothing(run, call)) call();
  }
  CHECK(run.state() == expected);
  return allocator->hasFailed();
}

/// Fails the 1st, 2nd, ... allocation until there are no more; returns how many there were.
std::int64_t failEachAllocation(const Backend& backend, nn::WorkspaceStrategy strategy,
                                std::int64_t warmUp, std::int64_t samples) {
  TrainingRun undisturbed(backendOver(backend, backend.allocator()), strategy);
  if (warmUp > 0) undisturbed.step(warmUp);
  undisturbed.step(samples);
  const auto liveBytes = ledger()->liveBytes();
  std::int64_t nth = 1;
  while (failsAt(nth, backend, strategy, warmUp, samples, undisturbed.state())) {
    CHECK(ledger()->liveBytes() == liveBytes);
    ++nth;
  }
  return nth - 1;
}

}  // namespace

TEST_CASE("a first training step survives the failure of any allocation") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      const auto allocations = failEachAllocation(*backend, strategy, 0, 2);
      CHECK(allocations > 25);
    });
  }
}

TEST_CASE("a training step on a larger batch survives the failure of any allocation") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      const auto allocations = failEachAllocation(*backend, strategy, 2, 5);
      CHECK(allocations > 15);
    });
  }
}

TEST_CASE("a training step on a smaller batch allocates nothing") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      CHECK(failEachAllocation(*backend, strategy, 5, 2) == 0);
    });
  }
}

TEST_CASE("under a limit a training step succeeds or changes nothing") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      const auto over = [&](std::int64_t limit) {
        return backendOver(
            *backend, std::make_shared<LimitingAllocator>(backend->allocator(), ledger(), limit));
      };
      ledger()->resetPeak();
      const auto before = ledger()->liveBytes();
      TrainingState expected;
      {
        TrainingRun undisturbed(backendOver(*backend, backend->allocator()), strategy);
        undisturbed.step(3);
        expected = undisturbed.state();
      }
      const auto peak = ledger()->peakBytes();
      int failures = 0;
      for (auto limit = peak; limit > before; limit -= 512) {
        CAPTURE(limit);
        try {
          TrainingRun run(over(limit), strategy);
          for (const auto& call : run.stepCalls(3)) {
            if (succeedsOrChangesNothing(run, call)) continue;
            ++failures;
            CHECK_FALSE(succeedsOrChangesNothing(run, call));
            break;
          }
          CHECK((run.state() == expected) == (limit == peak));
        } catch (const MemoryError&) {
          // Not even the network or its input fits; whatever is smaller does not either.
          break;
        }
      }
      CHECK(failures > 5);
      CHECK(ledger()->liveBytes() == before);
    });
  }
}

}  // namespace torchette::testing

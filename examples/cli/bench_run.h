// BenchRun: times every workspace strategy on every available backend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "examples/cli/inspection_run.h"

namespace torchette::cli {

struct BenchOptions {
  std::string model;
  std::optional<Shape> input;         ///< default: a batch of the model's own
  std::int64_t repetitions = 11;      ///< timed rounds; medians are reported
  int threads = 0;                    ///< lanes; 0: the backend's default
  std::vector<std::string> backends;  ///< empty: all available
};

/// One strategy on one backend.
struct BenchResult {
  std::string backend;
  std::string workspace;
  double forwardMilliseconds = 0, backwardMilliseconds = 0;  ///< medians
  std::int64_t workspaceBytes = 0, peakBytes = 0;
  bool isFastest = false, isSmallest = false;  ///< by total time, on real devices; by peak
  std::string problem;                         ///< why it could not run; "" if it did

  bool hasHostTimes() const { return backend == "simulated"; }
  double milliseconds() const { return forwardMilliseconds + backwardMilliseconds; }
};

/// Rounds go through all combinations in turn, so that what else the machine does falls on all
/// alike; one round before is not counted. What does not fit in memory gets a row that says so.
/// Throws what else the backends and the network throw.
std::vector<BenchResult> runBench(const BenchOptions& options);

}  // namespace torchette::cli

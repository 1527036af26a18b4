// BenchMachine: a CPU backend whose every allocation the benchmarks can report.
#pragma once

#include <benchmark/benchmark.h>

#include <memory>

#include "layers/context.h"
#include "runtime/ledger.h"

namespace torchette::bench {

struct BenchMachine {
  std::shared_ptr<Ledger> ledger;
  std::shared_ptr<Backend> backend;
  nn::Context context;
};

/// One for the process: all processors as lanes, or as many as the environment variable
/// TORCHETTE_THREADS says.
BenchMachine& machine();

/// Lets Google Benchmark report a run's peak and allocations from the ledger.
class LedgerMemoryManager final : public benchmark::MemoryManager {
 public:
  explicit LedgerMemoryManager(Ledger& ledger) : ledger_(ledger) {}

  void Start() override;
  void Stop(Result& result) override;
  // Deprecated in the library, but still pure there.
  void Stop(Result* result) override { Stop(*result); }

 private:
  Ledger& ledger_;
  std::int64_t liveBytesBefore_ = 0;
  std::size_t eventsBefore_ = 0;
};

/// Runs the registered benchmarks with the ledger as their memory manager; returns main's exit
/// status.
int runBenchmarks(int argc, char** argv);

}  // namespace torchette::bench

// Times whole estimates of vgg-a: building it on the dry backend, forward, backward, and the
// report.
#include <benchmark/benchmark.h>

#include "examples/cli/inspection_run.h"

namespace torchette::bench {

namespace {

cli::InspectionOptions estimateOf(const std::string& backend, std::int64_t samples) {
  cli::InspectionOptions options;
  options.model = "vgg-a";
  options.input = Shape{samples, 3, 224, 224};
  options.machine.backend = backend;
  options.machine.isEstimate = true;
  return options;
}

void estimate(benchmark::State& state, const std::string& backend, bool isPlanned) {
  auto options = estimateOf(backend, state.range(0));
  if (isPlanned) {
    options.isTraining = false;
    options.sharing = nn::MemorySharing::plan;
  }
  std::int64_t peakBytes = 0;
  for (auto _ : state) peakBytes = cli::runInspection(options).peakBytes;
  state.counters["estimatedPeakBytes"] = static_cast<double>(peakBytes);
}

void batches(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("batch")->Arg(16)->Arg(256)->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(estimate, cpu_training, "cpu", false)->Apply(batches);
BENCHMARK_CAPTURE(estimate, cpu_planned, "cpu", true)->Apply(batches);
BENCHMARK_CAPTURE(estimate, cuda_training, "cuda", false)->Apply(batches);
BENCHMARK_CAPTURE(estimate, cuda_planned, "cuda", true)->Apply(batches);

}  // namespace

}  // namespace torchette::bench

BENCHMARK_MAIN();

#include "bench/bench_machine.h"

#include <algorithm>
#include <cstdlib>

#include "backends/cpu/cpu_backend.h"
#include "runtime/allocators.h"
#include "runtime/host_device.h"

namespace torchette::bench {

namespace {

BenchMachine makeMachine() {
  const char* threads = std::getenv("TORCHETTE_THREADS");
  auto ledger = std::make_shared<Ledger>();
  ledger->startRecordingEvents();
  auto allocator = std::make_shared<TrackingAllocator>(
      std::make_shared<DeviceAllocator>(std::make_shared<HostDevice>()), ledger);
  auto backend = std::make_shared<CpuBackend>(std::move(allocator),
                                              threads == nullptr ? 0 : std::atoi(threads));
  nn::Context context{backend};
  return {std::move(ledger), std::move(backend), std::move(context)};
}

}  // namespace

BenchMachine& machine() {
  static BenchMachine instance = makeMachine();
  return instance;
}

void LedgerMemoryManager::Start() {
  ledger_.resetPeak();
  liveBytesBefore_ = ledger_.liveBytes();
  eventsBefore_ = ledger_.eventCount();
}

void LedgerMemoryManager::Stop(Result& result) {
  const auto events = ledger_.events();
  result.num_allocs = std::count_if(
      events.begin() + static_cast<std::ptrdiff_t>(eventsBefore_), events.end(),
      [](const LedgerEvent& event) { return event.kind != LedgerEvent::Kind::freed; });
  result.max_bytes_used = ledger_.peakBytes();
  result.net_heap_growth = ledger_.liveBytes() - liveBytesBefore_;
}

int runBenchmarks(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  LedgerMemoryManager memory(*machine().ledger);
  benchmark::RegisterMemoryManager(&memory);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::RegisterMemoryManager(nullptr);
  benchmark::Shutdown();
  return 0;
}

}  // namespace torchette::bench

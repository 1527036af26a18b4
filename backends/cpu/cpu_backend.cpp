#include "backends/cpu/cpu_backend.h"

#include <cblas.h>
#include <omp.h>

#include <exception>
#include <string>
#include <utility>

#include "runtime/errors.h"

namespace torchette {

namespace {

/// The lane whose forEach body runs on this thread; -1 outside any.
thread_local int currentLane = -1;

/// Makes `lane` the current one while it lives.
class LaneScope {
 public:
  explicit LaneScope(int lane) : outer_(std::exchange(currentLane, lane)) {}
  ~LaneScope() { currentLane = outer_; }
  LaneScope(const LaneScope&) = delete;
  LaneScope& operator=(const LaneScope&) = delete;

 private:
  int outer_;
};

using LaneBody = std::function<void(std::int64_t item, int lane)>;

void runInOrder(std::int64_t begin, std::int64_t end, int lane, const LaneBody& body) {
  const LaneScope scope(lane);
  for (std::int64_t item = begin; item < end; ++item) body(item, lane);
}

int resolveLanes(int lanes) {
  if (lanes < 0) {
    throw ArgumentError(
        "cpu backend",
        "lanes must be at least 1, or 0 for one per processor; got " + std::to_string(lanes));
  }
  return lanes == 0 ? omp_get_num_procs() : lanes;
}

}  // namespace

CpuBackend::CpuBackend(std::shared_ptr<Allocator> allocator, int lanes)
    : Backend(std::move(allocator)), lanes_(resolveLanes(lanes)) {
  if (!device().isHostAccessible()) {
    throw ArgumentError("cpu backend", "needs memory that the host may touch; device '" +
                                           std::string(device().name()) + "' is not");
  }
  openblas_set_num_threads(1);
}

void CpuBackend::forEach(std::int64_t count, const LaneBody& body) {
  const bool isNested = currentLane >= 0 || omp_in_parallel();
  const int lanes = static_cast<int>(std::min<std::int64_t>(lanes_, count));
  if (isNested || lanes <= 1) return runInOrder(0, count, std::max(currentLane, 0), body);

  // An exception must not leave a parallel region: the first one waits here until the region has
  // ended.
  std::exception_ptr failure;
#pragma omp parallel for num_threads(lanes) schedule(static, 1)
  for (int lane = 0; lane < lanes; ++lane) {
    try {
      runInOrder(count * lane / lanes, count * (lane + 1) / lanes, lane, body);
    } catch (...) {
#pragma omp critical(torchetteForEachFailure)
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace torchette

#include "backends/dry/dry_backend.h"

#include <omp.h>

#include <algorithm>
#include <utility>

#include "backends/cuda/cuda_backend.h"
#include "backends/dry/recording_backend.h"
#include "backends/kernels/scratch.h"
#include "runtime/buffer.h"
#include "runtime/errors.h"

namespace torchette {

namespace {

/// Computes nothing, but holds what the profile's backend holds.
class DryBackend final : public RecordingBackend {
 public:
  DryBackend(std::shared_ptr<Allocator> allocator, const BackendProfile& profile,
             std::shared_ptr<OperationObserver> observer)
      : RecordingBackend(std::move(allocator), profile.name, profile.lanes, std::move(observer)) {
    for (const auto& [owner, field, bytes] : profile.allocations) {
      held_.emplace_back(this->allocator(), bytes, AllocationTag{owner, field});
    }
  }

 private:
  std::vector<Buffer> held_;
};

/// The scratch of kernel backends.
FixedAllocation scratchOf(const std::string& backendName, int lanes) {
  return {"backend/" + backendName, "scratch", kernels::scratchBytes * lanes};
}

BackendProfile cpuProfile(int lanes) {
  return {"cpu", lanes == 0 ? omp_get_num_procs() : lanes, {}};
}

BackendProfile cudaProfile(int lanes) {
  const int streams = lanes == 0 ? CudaBackendOptions::defaultLanes : lanes;
  const FixedAllocation workspace{"backend/cublas", "workspace",
                                  CudaBackendOptions::defaultWorkspaceBytes * streams};
  return {"cuda", streams, {workspace, scratchOf("cuda", streams)}};
}

/// One lane whatever is asked.
BackendProfile simulatedProfile(int /*lanes*/) {
  return {"simulated", 1, {scratchOf("simulated", 1)}};
}

struct ProfileKind {
  std::string_view name;
  BackendProfile (*profile)(int lanes);
};

constexpr ProfileKind kinds[] = {
    {"cpu", cpuProfile}, {"cuda", cudaProfile}, {"simulated", simulatedProfile}};

}  // namespace

BackendProfile profileOf(std::string_view name, int lanes) {
  if (lanes < 0) {
    throw ArgumentError("dry backend",
                        "lanes must be at least 1, or 0 for the backend's own choice; got " +
                            std::to_string(lanes));
  }
  const auto* found = std::ranges::find(kinds, name, &ProfileKind::name);
  if (found != std::end(kinds)) return found->profile(lanes);
  std::string names;
  for (const auto& kind : kinds) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  throw ArgumentError("dry backend",
                      "can stand for " + names + "; got '" + std::string(name) + "'");
}

std::shared_ptr<Backend> makeDryBackend(std::shared_ptr<Allocator> allocator,
                                        const BackendProfile& profile,
                                        std::shared_ptr<OperationObserver> observer) {
  return std::make_shared<DryBackend>(std::move(allocator), profile, std::move(observer));
}

}  // namespace torchette

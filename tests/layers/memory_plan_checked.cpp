// Memory plans in checked mode: every region becomes NaN when the plan says that its content is
// dead.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "backends/cpu/cpu_backend.h"
#include "backends/dry/recording_backend.h"
#include "backends/dry/recording_device.h"
#include "runtime/host_device.h"
#include "tests/layers/layer_support.h"
#include "tests/layers/planned_network.h"
#include "tests/support/plan_checker.h"

namespace torchette::testing {

namespace {

constexpr int lanes = 2;

/// Every layer passes a NaN on: none replaces it by 0 or looks past it.
constexpr const char* nanKeepingNetwork =
    "nn.SpatialConvolution(3,4,3,3,1,1,1,1); nn.SpatialBatchNormalization(4); nn.Tanh();"
    "nn.SpatialFullConvolution(4,4,3,3,1,1,1,1); nn.SpatialAveragePooling(2,2,2,2);"
    "nn.View(64):setNumInputDims(3); nn.Linear(64,5); nn.Linear(5,3)";

/// The CPU backend, each operation and copy of which a PlanChecker is told.
struct CheckedMachine {
  CheckedMachine() {
    const auto device = std::make_shared<RecordingDevice>(std::make_shared<HostDevice>(), checker);
    const auto allocator =
        std::make_shared<TrackingAllocator>(std::make_shared<DeviceAllocator>(device), ledger());
    backend =
        std::make_shared<RecordingBackend>(std::make_shared<CpuBackend>(allocator, lanes), checker);
  }

  std::shared_ptr<PlanChecker> checker = std::make_shared<PlanChecker>();
  std::shared_ptr<Backend> backend;
};

/// The output of an inference in checked mode.
std::vector<float> checkedOutput(const PlannedCase& planned, const nn::ArenaPlan& plan) {
  const CheckedMachine machine;
  const auto network = networkOf(planned, machine.backend);
  nn::applyMemoryPlan(*network, plan);
  const auto input = randomTensor(*machine.backend, planned.input, 91);
  std::vector<float> output;
  for (int i = 0; i < 2; ++i) {
    machine.checker->start(plan, arenaOf(*network)->data());
    output = valuesOf(network->forward(input));
    CHECK(machine.checker->poisonedRegions() == static_cast<std::int64_t>(plan.regions.size()));
  }
  return output;
}

bool hasNan(const std::vector<float>& values) {
  return std::ranges::any_of(values, [](float value) { return std::isnan(value); });
}

}  // namespace

TEST_CASE("a right plan gives right results although dead content becomes NaN") {
  for (const auto& planned : plannedCases()) {
    INFO(planned.model, ", strategy ", std::string(nn::nameOf(*planned.strategy)));
    const CheckedMachine machine;  // of the same order of computation, but nothing is planned
    const auto input = randomTensor(*machine.backend, planned.input, 91);
    const auto expected = valuesOf(networkOf(planned, machine.backend)->forward(input));
    CHECK(checkedOutput(planned, planOf(planned, "cpu", lanes)) == expected);
  }
}

TEST_CASE("a plan with any lifetime cut short gives NaN in checked mode") {
  forEachStrategy([](nn::WorkspaceStrategy strategy) {
    const PlannedCase planned = {nanKeepingNetwork, {2, 3, 8, 8}, strategy};
    const auto plan = planOf(planned, "cpu", lanes);
    CHECK(plan.regions.size() > 8);
    CHECK_FALSE(hasNan(checkedOutput(planned, plan)));
    for (std::size_t i = 0; i < plan.regions.size(); ++i) {
      auto wrong = plan;
      auto& lifetime = wrong.regions[i].lifetime;
      INFO(lifetime.owner, " ", lifetime.field);
      REQUIRE(lifetime.lastUse > lifetime.firstUse);
      --lifetime.lastUse;
      CHECK(hasNan(checkedOutput(planned, wrong)));
    }
  });
}

}  // namespace torchette::testing

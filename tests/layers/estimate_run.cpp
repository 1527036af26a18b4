// The same layer code on both machines; only the device and the backend differ.
#include "tests/layers/estimate_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "backends/dry/dry_backend.h"
#include "backends/dry/dry_device.h"
#include "backends/registry.h"
#include "layers/criteria/class_nll_criterion.h"
#include "layers/criteria/mse_criterion.h"
#include "layers/inspection.h"
#include "layers/models/model.h"
#include "layers/optim/adam.h"
#include "layers/optim/sgd.h"
#include "layers/workspace_sharing.h"
#include "runtime/allocators.h"

namespace torchette::testing {

namespace {

constexpr int lanes = 2;

std::shared_ptr<Backend> makeMachine(Machine machine, const std::string& backendName,
                                     const std::shared_ptr<Ledger>& ledger) {
  const bool isDry = machine == Machine::dry;
  const auto device = isDry ? std::make_shared<DryDevice>() : makeDevice(backendName);
  const auto allocator =
      std::make_shared<TrackingAllocator>(std::make_shared<DeviceAllocator>(device), ledger);
  return isDry ? makeDryBackend(allocator, profileOf(backendName, lanes))
               : makeBackend(backendName, allocator, {.lanes = lanes});
}

Tensor filled(Backend& backend, const Shape& shape) {
  Tensor tensor(backend.allocator(), "input");
  tensor.resize(shape);
  backend.fill(tensor.elements(), 0.5F, tensor.data<float>());
  return tensor;
}

/// The first class for each sample.
Tensor firstClass(Backend& backend, std::int64_t samples) {
  Tensor target(backend.allocator(), "target", DType::int64);
  target.resize({samples});
  target.zero();
  return target;
}

std::unique_ptr<optim::Optimizer> makeOptimizer(const std::string& name,
                                                const nn::Context& context) {
  if (name == "adam") return nn::build<optim::Adam>("adam", context, optim::AdamConfig());
  if (name.empty()) return nullptr;
  return nn::build<optim::Sgd>("sgd", context, optim::SgdConfig{.momentum = 0.9});
}

class Course {
 public:
  Course(const Scenario& scenario, const nn::Context& context, Ledger& ledger)
      : scenario_(scenario),
        context_(context),
        ledger_(ledger),
        network_(nn::makeModel(scenario.model, context).network),
        classification_(nn::build<nn::ClassNLLCriterion>("criterion", context)),
        reconstruction_(nn::build<nn::MSECriterion>("criterion", context)),
        optimizer_(makeOptimizer(scenario.optimizer, context)) {
    if (scenario.strategy) network_->setWorkspaceStrategy(*scenario.strategy);
    if (!scenario.isTraining) network_->evaluate();
    if (scenario.sharesWorkspaces) nn::shareWorkspaces(*network_);
    if (optimizer_) flat_ = network_->getParameters();
  }

  void run() {
    for (int round = 0; round < 2; ++round) {
      for (const auto samples : scenario_.batches) runBatch(samples);
    }
  }

  nn::Module& network() { return *network_; }

 private:
  void runBatch(std::int64_t samples) {
    const auto input = filled(backend(), scenario_.sample.inserted(0, samples));
    ledger_.beginPhase("forward");
    const auto& output = network_->forward(input).tensor();
    if (!scenario_.isTraining) return;
    const bool isReconstruction = output.shape() == input.shape();
    auto& criterion = isReconstruction ? static_cast<nn::Criterion&>(*reconstruction_)
                                       : static_cast<nn::Criterion&>(*classification_);
    const auto target = isReconstruction ? input : firstClass(backend(), samples);
    criterion.forward(output, target);
    ledger_.beginPhase("backward");
    network_->zeroGradParameters();
    network_->backward(input, criterion.backward(output, target));
    ledger_.beginPhase("update");
    if (optimizer_) optimizer_->step(flat_.parameters, flat_.gradParameters);
  }

  Backend& backend() const { return *context_.backend; }

  const Scenario& scenario_;
  nn::Context context_;
  Ledger& ledger_;
  std::unique_ptr<nn::Module> network_;
  std::unique_ptr<nn::ClassNLLCriterion> classification_;
  std::unique_ptr<nn::MSECriterion> reconstruction_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  nn::FlatParameters flat_;
};

std::string textOf(const nn::FieldInspection& field) {
  return field.field + " " + field.shape.toString() + " " + std::string(nameOf(field.dtype)) + " " +
         std::to_string(field.bytes) + " bytes, storage " + std::to_string(field.storage) + " of " +
         std::to_string(field.storageBytes);
}

std::vector<std::string> fieldsOf(const nn::Inspection& inspection) {
  std::vector<std::string> lines;
  for (const auto& module : inspection.modules) {
    lines.push_back(module.path + " " + module.description);
    for (const auto& field : module.fields) lines.push_back("  " + textOf(field));
  }
  return lines;
}

std::vector<std::string> eventsOf(const Ledger& ledger) {
  std::vector<std::string> lines;
  for (const auto& event : ledger.events()) {
    lines.push_back(event.phase + ": " + std::to_string(static_cast<int>(event.kind)) + " " +
                    event.owner + " " + event.field + " " + std::to_string(event.bytes) +
                    ", then live " + std::to_string(event.liveBytes));
  }
  return lines;
}

void checkSameLines(const std::vector<std::string>& estimated,
                    const std::vector<std::string>& real) {
  CHECK(estimated.size() == real.size());
  const auto [atEstimated, atReal] = std::ranges::mismatch(estimated, real);
  if (atEstimated == estimated.end() || atReal == real.end()) return;
  FAIL_CHECK("estimated '" << *atEstimated << "', but it is '" << *atReal << "'");
}

}  // namespace

MemoryCourse runOn(Machine machine, const std::string& backendName, const Scenario& scenario) {
  const auto ledger = std::make_shared<Ledger>();
  ledger->startRecordingEvents();
  ledger->beginPhase("build");
  MemoryCourse result;
  {
    Course course(scenario, {makeMachine(machine, backendName, ledger)}, *ledger);
    course.run();
    const auto inspection = nn::inspect(course.network());
    result.fields = fieldsOf(inspection);
    result.heldBytes = inspection.totals.heldBytes;
    result.upperBoundBytes = inspection.totals.upperBoundBytes;
    result.live = ledger->liveHoldings();
    result.peak = ledger->peakHoldings();
    result.peakBytes = ledger->peakBytes();
  }
  result.bytesLeft = ledger->liveBytes();
  result.events = eventsOf(*ledger);
  return result;
}

void checkEstimate(const std::string& backendName, const Scenario& scenario) {
  INFO("model ", scenario.model, " of ", scenario.sample.toString());
  INFO("backend ", backendName, ", training ", scenario.isTraining, ", strategy ",
       std::string(scenario.strategy ? nn::nameOf(*scenario.strategy) : "default"), ", optimizer ",
       scenario.optimizer);
  const auto real = runOn(Machine::real, backendName, scenario);
  const auto estimate = runOn(Machine::dry, backendName, scenario);
  checkSameLines(estimate.fields, real.fields);
  checkSameLines(estimate.events, real.events);
  CHECK(estimate.heldBytes == real.heldBytes);
  CHECK(estimate.upperBoundBytes == real.upperBoundBytes);
  CHECK(estimate.live == real.live);
  CHECK(estimate.peak == real.peak);
  CHECK(estimate.peakBytes == real.peakBytes);
  CHECK(estimate.bytesLeft == 0);
  CHECK(real.bytesLeft == 0);
}

}  // namespace torchette::testing

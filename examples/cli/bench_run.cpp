// Timing strategies and backends against each other.
#include "examples/cli/bench_run.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "layers/inspection.h"
#include "runtime/errors.h"

namespace torchette::cli {

namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// One network, on one backend with one strategy.
class Contender {
 public:
  Contender(const BenchOptions& options, const std::string& backend, nn::WorkspaceStrategy strategy)
      : machine_(makeMachine({.backend = backend, .threads = options.threads})) {
    InspectionOptions inspection;
    inspection.model = options.model;
    inspection.input = options.input;
    inspection.workspaceStrategy = strategy;
    const nn::Context context{machine_.backend};
    model_ = makeInspectedModel(inspection, context);
    input_ = makeRandomInput(context, inputShape(inspection, model_));
    result_.backend = backend;
    result_.workspace = nameOf(strategy);
    model_.network->forward(input_);
    gradOutput_ = makeRandomInput(context, model_.network->output.tensor().shape());
    model_.network->backward(input_, gradOutput_);
  }

  void runOnce() {
    forward_.push_back(timed([this] { model_.network->forward(input_); }));
    backward_.push_back(timed([this] { model_.network->backward(input_, gradOutput_); }));
  }

  BenchResult result() {
    result_.forwardMilliseconds = median(forward_);
    result_.backwardMilliseconds = median(backward_);
    result_.workspaceBytes = nn::inspect(*model_.network).totals.workspaceBytes;
    result_.peakBytes = machine_.ledger->peakBytes();
    return result_;
  }

 private:
  /// Milliseconds until the device has finished.
  template <class Work>
  double timed(const Work& work) {
    auto& device = machine_.backend->device();
    device.synchronize();
    const auto start = std::chrono::steady_clock::now();
    work();
    device.synchronize();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  }

  Machine machine_;
  nn::Model model_;
  Tensor input_, gradOutput_;
  std::vector<double> forward_, backward_;
  BenchResult result_;
};

std::vector<std::string> availableBackends() {
  std::vector<std::string> names;
  for (const auto& status : backendStatuses()) {
    if (status.isAvailable) names.push_back(status.name);
  }
  return names;
}

void markBest(std::vector<BenchResult>& results) {
  BenchResult* fastest = nullptr;
  BenchResult* smallest = nullptr;
  for (auto& result : results) {
    if (!result.problem.empty()) continue;
    if (!smallest || result.peakBytes < smallest->peakBytes) smallest = &result;
    if (result.hasHostTimes()) continue;
    if (!fastest || result.milliseconds() < fastest->milliseconds()) fastest = &result;
  }
  if (fastest) fastest->isFastest = true;
  if (smallest) smallest->isSmallest = true;
}

/// A row of the table: what ran, or why it did not.
struct Row {
  Row(const BenchOptions& options, const std::string& backend, nn::WorkspaceStrategy strategy) {
    try {
      contender = std::make_unique<Contender>(options, backend, strategy);
    } catch (const MemoryError& error) {
      failure.backend = backend;
      failure.workspace = nameOf(strategy);
      failure.problem = error.what();
    }
  }

  void runOnce() const {
    if (contender) contender->runOnce();
  }
  BenchResult result() const { return contender ? contender->result() : failure; }

  std::unique_ptr<Contender> contender;  ///< null if there is a failure
  BenchResult failure;
};

}  // namespace

std::vector<BenchResult> runBench(const BenchOptions& options) {
  std::vector<Row> rows;
  for (const auto& backend : options.backends.empty() ? availableBackends() : options.backends) {
    for (const auto strategy : nn::allWorkspaceStrategies()) {
      rows.emplace_back(options, backend, strategy);
    }
  }
  for (std::int64_t round = 0; round < options.repetitions; ++round) {
    for (const auto& row : rows) row.runOnce();
  }
  std::vector<BenchResult> results;
  results.reserve(rows.size());
  for (const auto& row : rows) results.push_back(row.result());
  markBest(results);
  return results;
}

}  // namespace torchette::cli

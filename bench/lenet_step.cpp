// Times training steps of LeNet: forward, criterion, backward, update; items are images.
#include "bench/bench_machine.h"
#include "layers/criteria/class_nll_criterion.h"
#include "layers/models/model.h"
#include "layers/optim/sgd.h"

namespace torchette::bench {

namespace {

/// LeNet with one batch of made-up images.
class TrainingStep {
 public:
  TrainingStep(std::int64_t samples, nn::WorkspaceStrategy strategy)
      : model_(nn::makeModel("lenet", machine().context)),
        flat_(model_.network->getParameters()),
        criterion_(nn::build<nn::ClassNLLCriterion>("criterion", machine().context)),
        optimizer_(nn::build<optim::Sgd>(
            "optim", machine().context,
            optim::SgdConfig{.learningRate = 0.01, .momentum = 0.9, .dampening = 0.0})) {
    model_.network->setWorkspaceStrategy(strategy);
    Generator generator(1);
    std::vector<float> pixels(static_cast<std::size_t>(samples * 28 * 28));
    std::vector<std::int64_t> labels(static_cast<std::size_t>(samples));
    for (auto& pixel : pixels) pixel = static_cast<float>(generator.uniform());
    for (auto& label : labels) label = generator.random() % 10;
    const auto& allocator = machine().backend->allocator();
    images_ = Tensor::fromValues(allocator, {samples, 1, 28, 28}, pixels, "images");
    labels_ = Tensor::fromValues(allocator, {samples}, labels, "labels");
  }

  void run() {
    const auto& output = model_.network->forward(images_).tensor();
    criterion_->forward(output, labels_);
    flat_.gradParameters.zero();
    model_.network->backward(images_, criterion_->backward(output, labels_));
    optimizer_->step(flat_.parameters, flat_.gradParameters);
  }

 private:
  nn::Model model_;
  nn::FlatParameters flat_;
  std::unique_ptr<nn::Criterion> criterion_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  Tensor images_, labels_;
};

void lenetStep(benchmark::State& state, nn::WorkspaceStrategy strategy) {
  const auto samples = state.range(0);
  machine().ledger->resetPeak();
  TrainingStep step(samples, strategy);
  step.run();
  for (auto _ : state) step.run();
  state.SetItemsProcessed(state.iterations() * samples);
  state.counters["peakBytes"] = static_cast<double>(machine().ledger->peakBytes());
}

void registerAll() {
  for (const auto strategy : nn::allWorkspaceStrategies()) {
    const auto name = "lenet_step/strategy:" + std::string(nn::nameOf(strategy));
    benchmark::RegisterBenchmark(name.c_str(),
                                 [strategy](auto& state) { lenetStep(state, strategy); })
        ->ArgName("batch")
        ->Arg(16)
        ->Arg(64)
        ->Arg(256)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

}  // namespace

}  // namespace torchette::bench

int main(int argc, char** argv) {
  torchette::bench::registerAll();
  return torchette::bench::runBenchmarks(argc, argv);
}

// Times forward and backward of convolutions, shape x strategy x pass. Counters: workspace bytes,
// the ledger's peak bytes, and the rate of the products' multiplications and additions.
#include "bench/bench_machine.h"
#include "bench/convolution_shapes.h"

namespace torchette::bench {

namespace {

using nn::WorkspaceStrategy;

Tensor randomTensor(const Shape& shape) {
  Generator generator(1);
  std::vector<float> values(static_cast<std::size_t>(shape.elements()));
  for (auto& value : values) value = static_cast<float>(generator.uniform(-1, 1));
  return Tensor::fromValues(machine().backend->allocator(), shape, values, "input");
}

/// One layer with its input and gradOutput, after a first forward and backward.
struct Run {
  Run(const ConvolutionShape& shape, WorkspaceStrategy strategy)
      : layer(shape.makeLayer(machine().context)), input(randomTensor(shape.inputShape())) {
    layer->setWorkspaceStrategy(strategy);
    gradOutput = randomTensor(layer->forward(input).tensor().shape());
    layer->backward(input, gradOutput);
    const auto& columnsImage = shape.isFull ? input : gradOutput;
    const auto pixels = columnsImage.elements() / columnsImage.size(1);
    forwardOperations =
        2 * static_cast<double>(layer->weight.elements()) * static_cast<double>(pixels);
  }

  std::int64_t workspaceBytes() const {
    return layer->finput.storage()->bytes() + layer->fgradInput.storage()->bytes();
  }

  std::unique_ptr<nn::Convolution> layer;
  Tensor input, gradOutput;
  double forwardOperations;
};

void setCounters(benchmark::State& state, const Run& run, double operations) {
  state.counters["workspaceBytes"] = static_cast<double>(run.workspaceBytes());
  state.counters["peakBytes"] = static_cast<double>(machine().ledger->peakBytes());
  state.counters["operations"] =
      benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
}

void forward(benchmark::State& state, const ConvolutionShape& shape, WorkspaceStrategy strategy) {
  machine().ledger->resetPeak();
  Run run(shape, strategy);
  for (auto _ : state) run.layer->forward(run.input);
  setCounters(state, run, run.forwardOperations);
}

void backward(benchmark::State& state, const ConvolutionShape& shape, WorkspaceStrategy strategy) {
  machine().ledger->resetPeak();
  Run run(shape, strategy);
  for (auto _ : state) run.layer->backward(run.input, run.gradOutput);
  setCounters(state, run, 2 * run.forwardOperations);
}

/// The floor of a forward: its product alone, on columns that are there already, one sample after
/// the other.
void product(benchmark::State& state, const ConvolutionShape& shape) {
  Run run(shape, WorkspaceStrategy::sample);
  const auto pixels = run.layer->finput.size(1), rows = run.layer->finput.size(0);
  const auto outputs = run.layer->weight.elements() / rows;
  const Tensor result = randomTensor({outputs, pixels});
  for (auto _ : state) {
    for (std::int64_t sample = 0; sample < shape.samples; ++sample) {
      machine().backend->gemm({.m = outputs,
                               .n = pixels,
                               .k = rows,
                               .a = run.layer->weight.data<float>(),
                               .lda = rows,
                               .b = run.layer->finput.data<float>(),
                               .ldb = pixels,
                               .c = result.data<float>(),
                               .ldc = pixels});
    }
  }
  setCounters(state, run, run.forwardOperations);
}

void registerAll() {
  const auto timed = [](const std::string& name, auto body) {
    benchmark::RegisterBenchmark(name.c_str(), body)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->MinTime(0.2);
  };
  for (const auto& shape : convolutionShapes()) {
    const auto prefix = "convolution/shape:" + shape.name;
    for (const auto strategy : nn::allWorkspaceStrategies()) {
      const auto middle = "/strategy:" + std::string(nn::nameOf(strategy));
      timed(prefix + middle + "/pass:forward",
            [&shape, strategy](auto& state) { forward(state, shape, strategy); });
      timed(prefix + middle + "/pass:backward",
            [&shape, strategy](auto& state) { backward(state, shape, strategy); });
    }
    timed(prefix + "/product_alone", [&shape](auto& state) { product(state, shape); });
  }
}

}  // namespace

}  // namespace torchette::bench

int main(int argc, char** argv) {
  torchette::bench::registerAll();
  return torchette::bench::runBenchmarks(argc, argv);
}

#include "tests/backends/operation_results.h"

#include <cmath>

#include "tests/backends/operands.h"

namespace torchette::testing {

namespace {

class Recorder {
 public:
  explicit Recorder(Backend& backend) : backend_(backend) {}

  Backend& backend() { return backend_; }
  std::vector<OperationResult> results() && { return std::move(results_); }

  Tensor random(std::int64_t elements) { return randomTensor(backend_, {elements}, ++seed_); }
  Tensor positive(std::int64_t elements) {
    return tensor(backend_, {elements}, mapped(randomValues(elements, ++seed_), [](double value) {
                    return 0.1 + 0.4 * (value + 1);
                  }));
  }
  Tensor empty(std::int64_t elements) { return room(backend_, {elements}); }

  void record(const std::string& name, const Tensor& result) {
    const auto values = valuesOf(result);
    results_.push_back({name, {values.begin(), values.end()}});
  }
  void recordIndices(const std::string& name, const Tensor& result) {
    const auto values = result.values<std::int64_t>();
    results_.push_back({name, {values.begin(), values.end()}});
  }
  void record(const std::string& name, std::vector<double> values) {
    results_.push_back({name, std::move(values)});
  }

 private:
  Backend& backend_;
  std::uint32_t seed_ = 0;
  std::vector<OperationResult> results_;
};

void runElementwise(Recorder& recorder) {
  constexpr std::int64_t count = 3001;
  auto& backend = recorder.backend();
  const Tensor x = recorder.random(count), y = recorder.random(count), z = recorder.empty(count);
  backend.scale(count, 0.3F, at(x), at(z));
  recorder.record("scale", z);
  backend.addScaled(count, 0.3F, at(y), at(z));
  recorder.record("addScaled", z);
  backend.multiply(count, at(x), at(y), at(z));
  recorder.record("multiply", z);
  backend.fill(count, 0.7F, at(z));
  recorder.record("fill", z);
  for (const auto kind : {Activation::Kind::threshold, Activation::Kind::leakyRelu,
                          Activation::Kind::tanh, Activation::Kind::sigmoid}) {
    const Activation activation{.kind = kind, .negativeSlope = 0.1F};
    backend.activate(activation, count, at(x), at(z));
    recorder.record("activate", z);
    const Tensor gradInput = recorder.empty(count);
    backend.activateBackward(activation, count, at(z), at(y), at(gradInput));
    recorder.record("activateBackward", gradInput);
  }
}

void runPlanes(Recorder& recorder, const PlanesGeometry& geometry) {
  auto& backend = recorder.backend();
  const std::int64_t count = geometry.planes * geometry.elementsPerPlane();
  const Tensor bias = recorder.random(geometry.planes), y = recorder.empty(count);
  backend.fillBias(geometry, at(bias), at(y));
  recorder.record("fillBias", y);
  backend.accumulateBias(geometry, 0.5F, at(recorder.random(count)), at(bias));
  recorder.record("accumulateBias", bias);
}

void runBatchNorm(Recorder& recorder, const PlanesGeometry& geometry) {
  auto& backend = recorder.backend();
  const std::int64_t count = geometry.planes * geometry.elementsPerPlane();
  const auto perPlane = [&] { return recorder.random(geometry.planes); };
  const Tensor input = recorder.random(count), gradOutput = recorder.random(count);
  const Tensor result = recorder.empty(count);
  const Tensor mean = perPlane(), inverseStd = perPlane(), weight = perPlane(), bias = perPlane();
  backend.batchNormStatistics(geometry, 1e-3F, at(input), at(mean), at(inverseStd));
  recorder.record("batchNormStatistics", mean);
  recorder.record("batchNormStatistics", inverseStd);
  const BatchNorm norm{geometry, at(mean), at(inverseStd), at(weight), at(bias)};
  backend.batchNorm(norm, at(input), at(result));
  recorder.record("batchNorm", result);
  for (const bool batchStatistics : {true, false}) {
    const Tensor gradWeight = perPlane(), gradBias = perPlane();
    backend.batchNormBackward({norm, batchStatistics, at(input), at(gradOutput), at(result),
                               at(gradWeight), at(gradBias), 0.5F});
    recorder.record("batchNormBackward", result);
    recorder.record("batchNormBackward", gradWeight);
    recorder.record("batchNormBackward", gradBias);
  }
  const Tensor runningMean = perPlane(), runningVariance = perPlane();
  backend.updateRunningStatistics(
      {geometry, 0.1F, 1e-3F, at(mean), at(inverseStd), at(runningMean), at(runningVariance)});
  recorder.record("updateRunningStatistics", runningMean);
  recorder.record("updateRunningStatistics", runningVariance);
  backend.inverseStandardDeviation(geometry.planes, 1e-3F, at(recorder.positive(geometry.planes)),
                                   at(mean));
  recorder.record("inverseStandardDeviation", mean);
}

void runSoftMax(Recorder& recorder, const SoftMaxGeometry& geometry) {
  auto& backend = recorder.backend();
  const std::int64_t count = geometry.outer * geometry.classes * geometry.inner;
  const Tensor input = recorder.random(count), gradOutput = recorder.random(count);
  const Tensor output = recorder.empty(count), gradInput = recorder.empty(count);
  backend.softMax(geometry, at(input), at(output));
  recorder.record("softMax", output);
  backend.softMaxBackward(geometry, at(output), at(gradOutput), at(gradInput));
  recorder.record("softMaxBackward", gradInput);
  backend.logSoftMax(geometry, at(input), at(output));
  recorder.record("logSoftMax", output);
  backend.logSoftMaxBackward(geometry, at(output), at(gradOutput), at(gradInput));
  recorder.record("logSoftMaxBackward", gradInput);
}

void runLosses(Recorder& recorder) {
  constexpr std::int64_t samples = 301, classes = 10, count = samples * classes;
  auto& backend = recorder.backend();
  const Tensor input = recorder.positive(count), target = recorder.positive(count);
  const Tensor weights = recorder.positive(classes), gradInput = recorder.empty(count);
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < samples; ++i) labels.push_back(i * 7 % classes);
  const Tensor targets = indexTensor(backend, labels);
  const ClassNll nll{samples, classes, targets.data<std::int64_t>(), at(weights)};
  const auto total = backend.classNll(nll, at(input));
  recorder.record("classNll", {total.sum, total.weight});
  backend.classNllBackward(nll, 0.5F, at(gradInput));
  recorder.record("classNllBackward", gradInput);
  for (const auto kind : {PairLoss::Kind::meanSquared, PairLoss::Kind::binaryCrossEntropy}) {
    const PairLoss loss{kind, count, at(weights), classes};
    recorder.record("pairLoss", {backend.pairLoss(loss, at(input), at(target))});
    backend.pairLossBackward(loss, 0.5F, at(input), at(target), at(gradInput));
    recorder.record("pairLossBackward", gradInput);
  }
}

void runOptimizers(Recorder& recorder) {
  constexpr std::int64_t count = 3001;
  auto& backend = recorder.backend();
  const Tensor parameters = recorder.random(count), gradient = recorder.random(count);
  const Tensor first = recorder.random(count), second = recorder.positive(count);
  const auto record = [&](const std::string& name) {
    for (const auto& tensor : {parameters, gradient, first, second}) recorder.record(name, tensor);
  };
  for (const bool nesterov : {false, true}) {
    backend.sgdStep({count, 0.1F, 0.01F, 0.9F, 0, nesterov, false}, at(parameters), at(gradient),
                    at(first));
    record("sgdStep");
  }
  backend.adamStep({count, 0.1F, 0.9F, 0.99F, 1e-8F, 0.01F}, at(parameters), at(gradient),
                   at(first), at(second));
  record("adamStep");
}

void runGemm(Recorder& recorder) {
  auto& backend = recorder.backend();
  const Tensor a = recorder.random(400), b = recorder.random(500), c = recorder.random(400);
  for (const std::int64_t k : {0, 25}) {
    backend.gemm({.m = 16,
                  .n = 20,
                  .k = k,
                  .a = at(a),
                  .lda = 25,
                  .b = at(b),
                  .ldb = 20,
                  .beta = 0.5F,
                  .c = at(c),
                  .ldc = 25});
    recorder.record("gemm", c);
  }
}

void runColumns(Recorder& recorder, const ColumnsGeometry& geometry) {
  auto& backend = recorder.backend();
  const Tensor columns = recorder.empty(geometry.rows() * geometry.pixels());
  backend.im2col(geometry, at(recorder.random(geometry.imageElements())), at(columns));
  recorder.record("im2col", columns);
  const Tensor image = recorder.empty(geometry.imageElements());
  backend.col2im(geometry, at(recorder.random(geometry.rows() * geometry.pixels())), at(image));
  recorder.record("col2im", image);
}

void runPooling(Recorder& recorder, const PoolingGeometry& geometry) {
  auto& backend = recorder.backend();
  const std::int64_t inputs = geometry.planes * geometry.height * geometry.width;
  const std::int64_t outputs = geometry.planes * geometry.outputHeight * geometry.outputWidth;
  const Tensor input = recorder.random(inputs), gradOutput = recorder.random(outputs);
  const Tensor output = recorder.empty(outputs), gradInput = recorder.empty(inputs);
  const Tensor indices = indexTensor(backend, std::vector<std::int64_t>(outputs, -7));
  backend.maxPool(geometry, at(input), at(output), indices.data<std::int64_t>());
  recorder.record("maxPool", output);
  recorder.recordIndices("maxPool", indices);
  backend.maxPoolBackward(geometry, at(gradOutput), indices.data<std::int64_t>(), at(gradInput));
  recorder.record("maxPoolBackward", gradInput);
  for (const bool countsPad : {true, false}) {
    backend.averagePool({geometry, countsPad}, at(input), at(output));
    recorder.record("averagePool", output);
    backend.averagePoolBackward({geometry, countsPad}, at(gradOutput), at(gradInput));
    recorder.record("averagePoolBackward", gradInput);
  }
}

/// Windows of 1 to 5 pixels, 1 to 3 apart, with no padding and with as much as pooling allows.
std::vector<Window> windows() {
  std::vector<Window> result;
  for (const std::int64_t kernel : {1, 2, 3, 5}) {
    for (const std::int64_t stride : {1, 2, 3}) {
      for (const std::int64_t pad : {std::int64_t{0}, kernel / 2}) {
        result.push_back({kernel, kernel == 3 ? 2 : kernel, stride, kernel == 2 ? 1 : stride, pad,
                          pad == 0 ? 0 : std::int64_t{1}});
      }
    }
  }
  return result;
}

std::int64_t positions(std::int64_t extent, std::int64_t kernel, std::int64_t stride,
                       std::int64_t pad) {
  return (extent + 2 * pad - kernel) / stride + 1;
}

void runWindows(Recorder& recorder) {
  constexpr std::int64_t planes = 3, height = 11, width = 14;
  for (const auto& window : windows()) {
    const std::int64_t down = positions(height, window.kH, window.dH, window.padH);
    const std::int64_t across = positions(width, window.kW, window.dW, window.padW);
    runColumns(recorder, {planes, height, width, window, down, across});
    runPooling(recorder, {planes, height, width, window, down, across});
    // As in ceil mode, where the last windows may leave the image.
    runPooling(recorder, {planes, height, width, window, down + 1, across + 1});
  }
}

}  // namespace

std::vector<OperationResult> resultsOfAllOperations(Backend& backend) {
  Recorder recorder(backend);
  runElementwise(recorder);
  for (const PlanesGeometry& geometry :
       {PlanesGeometry{5, 7, 300}, {64, 50, 1}, {1, 9, 40}, {2, 40000, 1}}) {
    runPlanes(recorder, geometry);
    runBatchNorm(recorder, geometry);
  }
  runSoftMax(recorder, {40, 10, 1});
  runSoftMax(recorder, {3, 10, 70});
  runLosses(recorder);
  runOptimizers(recorder);
  runGemm(recorder);
  runWindows(recorder);
  return std::move(recorder).results();
}

std::vector<OperationResult> resultsOfWindowOperations(Backend& backend) {
  Recorder recorder(backend);
  runWindows(recorder);
  return std::move(recorder).results();
}

}  // namespace torchette::testing

// Each operation states here, and only here, which memory it touches.
#include "backends/dry/recording_backend.h"

#include <algorithm>
#include <utility>

namespace torchette {

namespace {

/// `elements` values at `data`; no bytes for null.
template <class T>
Access values(const T* data, std::int64_t elements) {
  return {data, data == nullptr ? 0 : elements * std::int64_t{sizeof(T)}};
}

/// rows x columns elements, the rows `leadingDimension` apart.
Access matrix(const float* data, std::int64_t rows, std::int64_t columns,
              std::int64_t leadingDimension) {
  if (rows == 0 || columns == 0) return {};
  return values(data, (rows - 1) * leadingDimension + columns);
}

/// op(A), rows x columns, as it is stored.
Access operand(bool isTransposed, const float* data, std::int64_t rows, std::int64_t columns,
               std::int64_t leadingDimension) {
  return isTransposed ? matrix(data, columns, rows, leadingDimension)
                      : matrix(data, rows, columns, leadingDimension);
}

Access image(const ColumnsGeometry& geometry, const float* data) {
  return values(data, geometry.imageElements());
}

Access columnsOf(const ColumnsGeometry& geometry, const float* data) {
  return values(data, geometry.rows() * geometry.pixels());
}

Access planes(const PlanesGeometry& geometry, const float* data) {
  return values(data, geometry.samples * geometry.planes * geometry.pixels);
}

template <class T>
Access pooled(const PoolingGeometry& geometry, const T* data) {
  return values(data, geometry.planes * geometry.outputHeight * geometry.outputWidth);
}

Access unpooled(const PoolingGeometry& geometry, const float* data) {
  return values(data, geometry.planes * geometry.height * geometry.width);
}

Access scores(const SoftMaxGeometry& geometry, const float* data) {
  return values(data, geometry.outer * geometry.classes * geometry.inner);
}

Access scores(const ClassNll& loss, const float* data) {
  return values(data, loss.samples * loss.classes);
}

/// Puts a lane back when forEach ends, however it ends.
class LaneScope {
 public:
  explicit LaneScope(int& lane) : lane_(lane), outer_(lane) {}
  ~LaneScope() { lane_ = outer_; }
  LaneScope(const LaneScope&) = delete;
  LaneScope& operator=(const LaneScope&) = delete;

 private:
  int& lane_;
  int outer_;
};

}  // namespace

RecordingBackend::RecordingBackend(std::shared_ptr<Backend> inner,
                                   std::shared_ptr<OperationObserver> observer)
    : Backend(inner->allocator()),
      inner_(std::move(inner)),
      name_(inner_->name()),
      lanes_(inner_->lanes()),
      observer_(std::move(observer)) {}

RecordingBackend::RecordingBackend(std::shared_ptr<Allocator> allocator, std::string name,
                                   int lanes, std::shared_ptr<OperationObserver> observer)
    : Backend(std::move(allocator)),
      name_(std::move(name)),
      lanes_(lanes),
      observer_(std::move(observer)) {}

template <class Run>
void RecordingBackend::record(Operation operation, const Run& run) {
  const auto runInner = [&] {
    if (inner_) run(*inner_);
  };
  if (!observer_) return runInner();
  const auto isEmpty = [](const Access& access) { return access.bytes == 0; };
  std::erase_if(operation.reads, isEmpty);
  std::erase_if(operation.writes, isEmpty);
  observer_->watch(operation, runInner);
}

void RecordingBackend::forEach(std::int64_t count,
                               const std::function<void(std::int64_t item, int lane)>& body) {
  const LaneScope scope(currentLane_);
  if (currentLane_ >= 0) {
    for (std::int64_t item = 0; item < count; ++item) body(item, currentLane_);
    return;
  }
  const int lanes = static_cast<int>(std::min<std::int64_t>(lanes_, count));
  for (currentLane_ = 0; currentLane_ < lanes; ++currentLane_) {
    const std::int64_t end = count * (currentLane_ + 1) / lanes;
    for (std::int64_t item = count * currentLane_ / lanes; item < end; ++item) {
      body(item, currentLane_);
    }
  }
}

void RecordingBackend::fill(std::int64_t elements, float value, float* y) {
  record({"fill", {}, {values(y, elements)}},
         [&](Backend& inner) { inner.fill(elements, value, y); });
}

void RecordingBackend::fillUniform(std::int64_t elements, Generator& generator, double from,
                                   double to, float* y) {
  record({"fillUniform", {}, {values(y, elements)}},
         [&](Backend& inner) { inner.fillUniform(elements, generator, from, to, y); });
}

void RecordingBackend::fillBernoulli(std::int64_t elements, Generator& generator, double p,
                                     float value, float* y) {
  record({"fillBernoulli", {}, {values(y, elements)}},
         [&](Backend& inner) { inner.fillBernoulli(elements, generator, p, value, y); });
}

void RecordingBackend::scale(std::int64_t elements, float alpha, const float* x, float* y) {
  record({"scale", {values(x, elements)}, {values(y, elements)}},
         [&](Backend& inner) { inner.scale(elements, alpha, x, y); });
}

void RecordingBackend::addScaled(std::int64_t elements, float alpha, const float* x, float* y) {
  record({"addScaled", {values(x, elements), values(y, elements)}, {values(y, elements)}},
         [&](Backend& inner) { inner.addScaled(elements, alpha, x, y); });
}

void RecordingBackend::multiply(std::int64_t elements, const float* a, const float* b, float* y) {
  record({"multiply", {values(a, elements), values(b, elements)}, {values(y, elements)}},
         [&](Backend& inner) { inner.multiply(elements, a, b, y); });
}

void RecordingBackend::gemm(const Gemm& gemm) {
  const bool multiplies = gemm.m > 0 && gemm.n > 0 && gemm.k > 0;
  const Access c = matrix(gemm.c, gemm.m, gemm.n, gemm.ldc);
  Operation operation{"gemm", {gemm.beta == 0 ? Access() : c}, {c}};
  if (multiplies) {
    operation.reads.push_back(operand(gemm.transposeA, gemm.a, gemm.m, gemm.k, gemm.lda));
    operation.reads.push_back(operand(gemm.transposeB, gemm.b, gemm.k, gemm.n, gemm.ldb));
  }
  record(std::move(operation), [&](Backend& inner) { inner.gemm(gemm); });
}

void RecordingBackend::im2col(const ColumnsGeometry& geometry, const float* input, float* columns) {
  record({"im2col", {image(geometry, input)}, {columnsOf(geometry, columns)}},
         [&](Backend& inner) { inner.im2col(geometry, input, columns); });
}

void RecordingBackend::col2im(const ColumnsGeometry& geometry, const float* columns,
                              float* result) {
  record({"col2im", {columnsOf(geometry, columns)}, {image(geometry, result)}},
         [&](Backend& inner) { inner.col2im(geometry, columns, result); });
}

void RecordingBackend::fillBias(const PlanesGeometry& geometry, const float* bias, float* y) {
  record({"fillBias", {values(bias, geometry.planes)}, {planes(geometry, y)}},
         [&](Backend& inner) { inner.fillBias(geometry, bias, y); });
}

void RecordingBackend::accumulateBias(const PlanesGeometry& geometry, float scale,
                                      const float* gradOutput, float* gradBias) {
  const Access sum = values(gradBias, geometry.planes);
  record({"accumulateBias", {planes(geometry, gradOutput), sum}, {sum}},
         [&](Backend& inner) { inner.accumulateBias(geometry, scale, gradOutput, gradBias); });
}

void RecordingBackend::activate(const Activation& activation, std::int64_t elements, const float* x,
                                float* y) {
  record({"activate", {values(x, elements)}, {values(y, elements)}},
         [&](Backend& inner) { inner.activate(activation, elements, x, y); });
}

void RecordingBackend::activateBackward(const Activation& activation, std::int64_t elements,
                                        const float* reference, const float* gradOutput,
                                        float* gradInput) {
  record({"activateBackward",
          {values(reference, elements), values(gradOutput, elements)},
          {values(gradInput, elements)}},
         [&](Backend& inner) {
           inner.activateBackward(activation, elements, reference, gradOutput, gradInput);
         });
}

void RecordingBackend::maxPool(const PoolingGeometry& geometry, const float* input, float* output,
                               std::int64_t* indices) {
  record({"maxPool",
          {unpooled(geometry, input)},
          {pooled(geometry, output), pooled(geometry, indices)}},
         [&](Backend& inner) { inner.maxPool(geometry, input, output, indices); });
}

void RecordingBackend::maxPoolBackward(const PoolingGeometry& geometry, const float* gradOutput,
                                       const std::int64_t* indices, float* gradInput) {
  record({"maxPoolBackward",
          {pooled(geometry, gradOutput), pooled(geometry, indices)},
          {unpooled(geometry, gradInput)}},
         [&](Backend& inner) { inner.maxPoolBackward(geometry, gradOutput, indices, gradInput); });
}

void RecordingBackend::averagePool(const AveragePooling& pooling, const float* input,
                                   float* output) {
  record({"averagePool", {unpooled(pooling.geometry, input)}, {pooled(pooling.geometry, output)}},
         [&](Backend& inner) { inner.averagePool(pooling, input, output); });
}

void RecordingBackend::averagePoolBackward(const AveragePooling& pooling, const float* gradOutput,
                                           float* gradInput) {
  record({"averagePoolBackward",
          {pooled(pooling.geometry, gradOutput)},
          {unpooled(pooling.geometry, gradInput)}},
         [&](Backend& inner) { inner.averagePoolBackward(pooling, gradOutput, gradInput); });
}

void RecordingBackend::softMax(const SoftMaxGeometry& geometry, const float* input, float* output) {
  record({"softMax", {scores(geometry, input)}, {scores(geometry, output)}},
         [&](Backend& inner) { inner.softMax(geometry, input, output); });
}

void RecordingBackend::softMaxBackward(const SoftMaxGeometry& geometry, const float* output,
                                       const float* gradOutput, float* gradInput) {
  record({"softMaxBackward",
          {scores(geometry, output), scores(geometry, gradOutput)},
          {scores(geometry, gradInput)}},
         [&](Backend& inner) { inner.softMaxBackward(geometry, output, gradOutput, gradInput); });
}

void RecordingBackend::logSoftMax(const SoftMaxGeometry& geometry, const float* input,
                                  float* output) {
  record({"logSoftMax", {scores(geometry, input)}, {scores(geometry, output)}},
         [&](Backend& inner) { inner.logSoftMax(geometry, input, output); });
}

void RecordingBackend::logSoftMaxBackward(const SoftMaxGeometry& geometry, const float* output,
                                          const float* gradOutput, float* gradInput) {
  record(
      {"logSoftMaxBackward",
       {scores(geometry, output), scores(geometry, gradOutput)},
       {scores(geometry, gradInput)}},
      [&](Backend& inner) { inner.logSoftMaxBackward(geometry, output, gradOutput, gradInput); });
}

void RecordingBackend::batchNormStatistics(const PlanesGeometry& geometry, float epsilon,
                                           const float* input, float* mean, float* inverseStd) {
  record({"batchNormStatistics",
          {planes(geometry, input)},
          {values(mean, geometry.planes), values(inverseStd, geometry.planes)}},
         [&](Backend& inner) {
           inner.batchNormStatistics(geometry, epsilon, input, mean, inverseStd);
         });
}

void RecordingBackend::inverseStandardDeviation(std::int64_t elements, float epsilon,
                                                const float* variance, float* inverseStd) {
  record({"inverseStandardDeviation", {values(variance, elements)}, {values(inverseStd, elements)}},
         [&](Backend& inner) {
           inner.inverseStandardDeviation(elements, epsilon, variance, inverseStd);
         });
}

void RecordingBackend::updateRunningStatistics(const RunningStatistics& statistics) {
  const std::int64_t count = statistics.geometry.planes;
  const Access mean = values(statistics.runningMean, count);
  const Access variance = values(statistics.runningVariance, count);
  record({"updateRunningStatistics",
          {values(statistics.mean, count), values(statistics.inverseStd, count), mean, variance},
          {mean, variance}},
         [&](Backend& inner) { inner.updateRunningStatistics(statistics); });
}

void RecordingBackend::batchNorm(const BatchNorm& norm, const float* input, float* output) {
  const std::int64_t count = norm.geometry.planes;
  record({"batchNorm",
          {planes(norm.geometry, input), values(norm.mean, count), values(norm.inverseStd, count),
           values(norm.weight, count), values(norm.bias, count)},
          {planes(norm.geometry, output)}},
         [&](Backend& inner) { inner.batchNorm(norm, input, output); });
}

void RecordingBackend::batchNormBackward(const BatchNormBackward& backward) {
  const BatchNorm& norm = backward.forward;
  const std::int64_t count = norm.geometry.planes;
  const bool hasGradInput = backward.gradInput != nullptr;
  const bool centresInput =
      backward.gradWeight != nullptr || (hasGradInput && backward.batchStatistics);
  const Access gradWeight = values(backward.gradWeight, count);
  const Access gradBias = values(backward.gradBias, count);
  record({"batchNormBackward",
          {planes(norm.geometry, backward.gradOutput), values(norm.inverseStd, count),
           planes(norm.geometry, centresInput ? backward.input : nullptr),
           values(centresInput ? norm.mean : nullptr, count),
           values(hasGradInput ? norm.weight : nullptr, count), gradWeight, gradBias},
          {planes(norm.geometry, backward.gradInput), gradWeight, gradBias}},
         [&](Backend& inner) { inner.batchNormBackward(backward); });
}

WeightedSum RecordingBackend::classNll(const ClassNll& loss, const float* logProbabilities) {
  WeightedSum result;
  record({"classNll",
          {scores(loss, logProbabilities), values(loss.targets, loss.samples),
           values(loss.weights, loss.classes)},
          {}},
         [&](Backend& inner) { result = inner.classNll(loss, logProbabilities); });
  return result;
}

void RecordingBackend::classNllBackward(const ClassNll& loss, float scale, float* gradInput) {
  record({"classNllBackward",
          {values(loss.targets, loss.samples), values(loss.weights, loss.classes)},
          {scores(loss, gradInput)}},
         [&](Backend& inner) { inner.classNllBackward(loss, scale, gradInput); });
}

double RecordingBackend::pairLoss(const PairLoss& loss, const float* input, const float* target) {
  double result = 0;
  record({"pairLoss",
          {values(input, loss.elements), values(target, loss.elements),
           values(loss.weights, loss.rowElements)},
          {}},
         [&](Backend& inner) { result = inner.pairLoss(loss, input, target); });
  return result;
}

void RecordingBackend::pairLossBackward(const PairLoss& loss, float scale, const float* input,
                                        const float* target, float* gradInput) {
  record({"pairLossBackward",
          {values(input, loss.elements), values(target, loss.elements),
           values(loss.weights, loss.rowElements)},
          {values(gradInput, loss.elements)}},
         [&](Backend& inner) { inner.pairLossBackward(loss, scale, input, target, gradInput); });
}

void RecordingBackend::sgdStep(const SgdStep& step, float* parameters, float* gradient,
                               float* velocity) {
  const Access moved = values(parameters, step.elements);
  const Access direction = values(gradient, step.elements);
  const Access kept = values(velocity, step.elements);
  const Access decayed = step.weightDecay == 0 ? Access() : direction;
  record({"sgdStep", {moved, direction, step.isFirst ? Access() : kept}, {moved, decayed, kept}},
         [&](Backend& inner) { inner.sgdStep(step, parameters, gradient, velocity); });
}

void RecordingBackend::adamStep(const AdamStep& step, float* parameters, float* gradient,
                                float* mean, float* meanSquare) {
  const Access moved = values(parameters, step.elements);
  const Access direction = values(gradient, step.elements);
  const Access first = values(mean, step.elements);
  const Access second = values(meanSquare, step.elements);
  const Access decayed = step.weightDecay == 0 ? Access() : direction;
  record({"adamStep", {moved, direction, first, second}, {moved, decayed, first, second}},
         [&](Backend& inner) { inner.adamStep(step, parameters, gradient, mean, meanSquare); });
}

}  // namespace torchette

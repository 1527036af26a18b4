// KernelBackend: the operations of a backend that runs kernels, written once for all of them.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "backends/backend.h"
#include "backends/kernel_launcher.h"
#include "backends/kernel_reductions.h"
#include "backends/kernels/activations.h"
#include "backends/kernels/batch_norm.h"
#include "backends/kernels/columns.h"
#include "backends/kernels/losses.h"
#include "backends/kernels/optimizer_steps.h"
#include "backends/kernels/planes.h"
#include "backends/kernels/pooling.h"
#include "backends/kernels/soft_max.h"

namespace torchette {

/// Kernels and products run by way of the launcher; see KernelLauncher for what it must offer.
template <KernelLauncher Launcher>
class KernelBackend : public Backend {
 public:
  /// Builds the launcher from `arguments`, then allocates its scratch.
  template <class... Arguments>
  explicit KernelBackend(std::shared_ptr<Allocator> allocator, Arguments&&... arguments)
      : Backend(std::move(allocator)),
        launcher_(std::forward<Arguments>(arguments)...),
        reductions_(launcher_, this->allocator()) {}
  KernelBackend(const KernelBackend&) = delete;
  KernelBackend& operator=(const KernelBackend&) = delete;

  std::string_view name() const override { return launcher_.name(); }
  int lanes() const override { return launcher_.lanes(); }
  void forEach(std::int64_t count,
               const std::function<void(std::int64_t item, int lane)>& body) override {
    launcher_.forEach(count, body);
  }

  void fill(std::int64_t elements, float value, float* y) override {
    launcher_.launch(rowOf(elements), kernels::Fill{value, y});
  }
  void scale(std::int64_t elements, float alpha, const float* x, float* y) override {
    launcher_.launch(rowOf(elements), kernels::Scale{alpha, x, y});
  }
  void addScaled(std::int64_t elements, float alpha, const float* x, float* y) override {
    launcher_.launch(rowOf(elements), kernels::AddScaled{alpha, x, y});
  }
  void multiply(std::int64_t elements, const float* a, const float* b, float* y) override {
    launcher_.launch(rowOf(elements), kernels::Multiply{a, b, y});
  }

  void gemm(const Gemm& gemm) override {
    if (gemm.m == 0 || gemm.n == 0) return;
    if (gemm.k == 0) {
      launcher_.launch({1, gemm.m, gemm.n}, kernels::ScaleMatrix{gemm.beta, gemm.c, gemm.ldc});
    } else {
      launcher_.gemm(toColumnMajor(gemm));
    }
  }
  void im2col(const ColumnsGeometry& geometry, const float* image, float* columns) override {
    launcher_.launch({geometry.rows(), geometry.columnsHeight, geometry.columnsWidth},
                     kernels::Im2Col{geometry, image, columns});
  }
  void col2im(const ColumnsGeometry& geometry, const float* columns, float* image) override {
    launcher_.launch({geometry.planes, geometry.height, geometry.width},
                     kernels::Col2Im{geometry, columns, image});
  }
  void fillBias(const PlanesGeometry& geometry, const float* bias, float* y) override {
    launcher_.launch(gridOf(geometry), kernels::FillBias{geometry, bias, y});
  }
  void accumulateBias(const PlanesGeometry& geometry, float scale, const float* gradOutput,
                      float* gradBias) override {
    reductions_.sum(geometry.planes, geometry.elementsPerPlane(),
                    kernels::PlaneValue{geometry, gradOutput},
                    kernels::AddScaledSum{scale, gradBias});
  }

  void activate(const Activation& activation, std::int64_t elements, const float* x,
                float* y) override {
    withFunction(activation, [&]<class Function>(const Function& function) {
      launcher_.launch(rowOf(elements), kernels::Activate<Function>{function, x, y});
    });
  }
  void activateBackward(const Activation& activation, std::int64_t elements, const float* reference,
                        const float* gradOutput, float* gradInput) override {
    withFunction(activation, [&]<class Function>(const Function& function) {
      launcher_.launch(rowOf(elements), kernels::ActivateBackward<Function>{function, reference,
                                                                            gradOutput, gradInput});
    });
  }

  void maxPool(const PoolingGeometry& geometry, const float* input, float* output,
               std::int64_t* indices) override {
    launcher_.launch(outputGridOf(geometry), kernels::MaxPool{geometry, input, output, indices});
  }
  void maxPoolBackward(const PoolingGeometry& geometry, const float* gradOutput,
                       const std::int64_t* indices, float* gradInput) override {
    launcher_.launch(inputGridOf(geometry),
                     kernels::MaxPoolBackward{geometry, gradOutput, indices, gradInput});
  }
  void averagePool(const AveragePooling& pooling, const float* input, float* output) override {
    const auto& [geometry, countsPad] = pooling;
    launcher_.launch(outputGridOf(geometry),
                     kernels::AveragePool{geometry, countsPad, input, output});
  }
  void averagePoolBackward(const AveragePooling& pooling, const float* gradOutput,
                           float* gradInput) override {
    const auto& [geometry, countsPad] = pooling;
    launcher_.launch(inputGridOf(geometry),
                     kernels::AveragePoolBackward{geometry, countsPad, gradOutput, gradInput});
  }

  void softMax(const SoftMaxGeometry& geometry, const float* input, float* output) override {
    launcher_.launch(gridOf(geometry), kernels::SoftMax{geometry, input, output});
  }
  void softMaxBackward(const SoftMaxGeometry& geometry, const float* output,
                       const float* gradOutput, float* gradInput) override {
    launcher_.launch(gridOf(geometry),
                     kernels::SoftMaxBackward{geometry, output, gradOutput, gradInput});
  }
  void logSoftMax(const SoftMaxGeometry& geometry, const float* input, float* output) override {
    launcher_.launch(gridOf(geometry), kernels::LogSoftMax{geometry, input, output});
  }
  void logSoftMaxBackward(const SoftMaxGeometry& geometry, const float* output,
                          const float* gradOutput, float* gradInput) override {
    launcher_.launch(gridOf(geometry),
                     kernels::LogSoftMaxBackward{geometry, output, gradOutput, gradInput});
  }

  void batchNormStatistics(const PlanesGeometry& geometry, float epsilon, const float* input,
                           float* mean, float* inverseStd) override {
    const kernels::PlaneValue value{geometry, input};
    reductions_.template forEachRange<double>(
        geometry.planes, geometry.elementsPerPlane(), [&](const auto& range) {
          reductions_.sum(range, value, kernels::StoreMean{geometry, range.store(), mean});
          reductions_.sum(range, kernels::SquaredDistance{value, range.store()},
                          kernels::StoreInverseStd{geometry, epsilon, inverseStd});
        });
  }
  void inverseStandardDeviation(std::int64_t elements, float epsilon, const float* variance,
                                float* inverseStd) override {
    launcher_.launch(rowOf(elements),
                     kernels::InverseStandardDeviation{epsilon, variance, inverseStd});
  }
  void updateRunningStatistics(const RunningStatistics& statistics) override {
    const auto& [geometry, momentum, epsilon, mean, inverseStd, runningMean, runningVariance] =
        statistics;
    launcher_.launch(rowOf(geometry.planes),
                     kernels::UpdateRunningStatistics{geometry, momentum, epsilon, mean, inverseStd,
                                                      runningMean, runningVariance});
  }
  void batchNorm(const BatchNorm& norm, const float* input, float* output) override {
    launcher_.launch(gridOf(norm.geometry), kernels::Normalise{planeNorm(norm), input, output});
  }
  void batchNormBackward(const BatchNormBackward& backward) override {
    const auto norm = planeNorm(backward.forward);
    const auto& geometry = norm.geometry;
    const kernels::GradientTerms terms{norm, backward.input, backward.gradOutput};
    reductions_.template forEachRange<kernels::SumPair>(
        geometry.planes, geometry.elementsPerPlane(), [&](const auto& range) {
          reductions_.sum(
              range, terms,
              kernels::AccumulateNormParameters{range.store(), backward.scale, norm.inverseStd,
                                                backward.gradWeight, backward.gradBias});
          if (backward.gradInput == nullptr || !backward.batchStatistics) return;
          launcher_.launch({geometry.samples, range.chunks.planes, geometry.pixels},
                           kernels::ProjectGradient{terms, range.store(), backward.gradInput});
        });
    if (backward.gradInput == nullptr || backward.batchStatistics) return;
    launcher_.launch(gridOf(geometry),
                     kernels::ScaleGradient{norm, backward.gradOutput, backward.gradInput});
  }

  WeightedSum classNll(const ClassNll& loss, const float* logProbabilities) override {
    const auto total = reductions_.total(
        device(), loss.samples, kernels::NegativeLogLikelihood{targetsOf(loss), logProbabilities});
    return {total.first, total.second};
  }
  void classNllBackward(const ClassNll& loss, float scale, float* gradInput) override {
    launcher_.launch({1, loss.samples, loss.classes},
                     kernels::NegativeLogLikelihoodBackward{targetsOf(loss), scale, gradInput});
  }
  double pairLoss(const PairLoss& loss, const float* input, const float* target) override {
    if (loss.kind == PairLoss::Kind::meanSquared) {
      return reductions_.total(device(), loss.elements, kernels::SquaredDifference{input, target});
    }
    return reductions_.total(device(), loss.elements,
                             kernels::BinaryCrossEntropy{input, target, weightsOf(loss)});
  }
  void pairLossBackward(const PairLoss& loss, float scale, const float* input, const float* target,
                        float* gradInput) override {
    if (loss.kind == PairLoss::Kind::meanSquared) {
      launcher_.launch(rowOf(loss.elements),
                       kernels::SquaredDifferenceBackward{scale, input, target, gradInput});
    } else {
      launcher_.launch(rowOf(loss.elements), kernels::BinaryCrossEntropyBackward{
                                                 scale, input, target, weightsOf(loss), gradInput});
    }
  }

  void sgdStep(const SgdStep& step, float* parameters, float* gradient, float* velocity) override {
    launcher_.launch(
        rowOf(step.elements),
        kernels::SgdStep{step.learningRate, step.weightDecay, static_cast<float>(step.momentum),
                         static_cast<float>(1 - step.dampening), step.nesterov, step.isFirst,
                         parameters, gradient, velocity});
  }
  void adamStep(const AdamStep& step, float* parameters, float* gradient, float* mean,
                float* meanSquare) override {
    launcher_.launch(
        rowOf(step.elements),
        kernels::AdamStep{step.stepSize, static_cast<float>(step.beta1),
                          static_cast<float>(1 - step.beta1), static_cast<float>(step.beta2),
                          static_cast<float>(1 - step.beta2), step.epsilon, step.weightDecay,
                          parameters, gradient, mean, meanSquare});
  }

 private:
  static KernelGrid gridOf(const PlanesGeometry& geometry) {
    return {geometry.samples, geometry.planes, geometry.pixels};
  }
  static KernelGrid gridOf(const SoftMaxGeometry& geometry) {
    return {1, geometry.outer, geometry.inner};
  }
  static KernelGrid inputGridOf(const PoolingGeometry& geometry) {
    return {geometry.planes, geometry.height, geometry.width};
  }
  static KernelGrid outputGridOf(const PoolingGeometry& geometry) {
    return {geometry.planes, geometry.outputHeight, geometry.outputWidth};
  }

  static kernels::PlaneNorm planeNorm(const BatchNorm& norm) {
    return {norm.geometry, norm.mean, norm.inverseStd, norm.weight, norm.bias};
  }
  static kernels::Targets targetsOf(const ClassNll& loss) {
    return {loss.classes, loss.targets, loss.weights};
  }
  static kernels::RowWeights weightsOf(const PairLoss& loss) {
    return {loss.weights, loss.rowElements};
  }

  /// Calls body with the kernel function of an activation.
  template <class Body>
  static void withFunction(const Activation& activation, const Body& body) {
    switch (activation.kind) {
      case Activation::Kind::threshold:
        return body(kernels::Threshold{activation.threshold, activation.value});
      case Activation::Kind::leakyRelu:
        return body(kernels::LeakyRelu{activation.negativeSlope});
      case Activation::Kind::tanh:
        return body(kernels::Tanh());
      case Activation::Kind::sigmoid:
        return body(kernels::Sigmoid());
    }
  }

  Launcher launcher_;
  KernelReductions<Launcher> reductions_;
};

}  // namespace torchette

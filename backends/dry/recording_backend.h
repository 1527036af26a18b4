// RecordingBackend: tells an observer what each operation reads and writes.
#pragma once

#include <string>

#include "backends/backend.h"
#include "backends/operation_observer.h"

namespace torchette {

/// Hands every operation on to another backend, or computes nothing. Uses one thread.
class RecordingBackend : public Backend {
 public:
  /// Tells of what `inner` does, whose name, lanes and memory it has. To be told of copies too, the
  /// observer must also watch the device that `inner` draws on (RecordingDevice).
  RecordingBackend(std::shared_ptr<Backend> inner, std::shared_ptr<OperationObserver> observer);
  /// Computes nothing: results are whatever memory holds, losses are 0, and nothing is drawn from
  /// random streams. `observer` may be null.
  RecordingBackend(std::shared_ptr<Allocator> allocator, std::string name, int lanes,
                   std::shared_ptr<OperationObserver> observer);

  std::string_view name() const override { return name_; }
  int lanes() const override { return lanes_; }
  /// Runs all items in order on the caller's thread, each as if on the lane that the contract gives
  /// it.
  void forEach(std::int64_t count,
               const std::function<void(std::int64_t item, int lane)>& body) override;

  void fill(std::int64_t elements, float value, float* y) override;
  void fillUniform(std::int64_t elements, Generator& generator, double from, double to,
                   float* y) override;
  void fillBernoulli(std::int64_t elements, Generator& generator, double p, float value,
                     float* y) override;
  void scale(std::int64_t elements, float alpha, const float* x, float* y) override;
  void addScaled(std::int64_t elements, float alpha, const float* x, float* y) override;
  void multiply(std::int64_t elements, const float* a, const float* b, float* y) override;

  void gemm(const Gemm& gemm) override;
  void im2col(const ColumnsGeometry& geometry, const float* image, float* columns) override;
  void col2im(const ColumnsGeometry& geometry, const float* columns, float* image) override;
  void fillBias(const PlanesGeometry& geometry, const float* bias, float* y) override;
  void accumulateBias(const PlanesGeometry& geometry, float scale, const float* gradOutput,
                      float* gradBias) override;

  void activate(const Activation& activation, std::int64_t elements, const float* x,
                float* y) override;
  void activateBackward(const Activation& activation, std::int64_t elements, const float* reference,
                        const float* gradOutput, float* gradInput) override;

  void maxPool(const PoolingGeometry& geometry, const float* input, float* output,
               std::int64_t* indices) override;
  void maxPoolBackward(const PoolingGeometry& geometry, const float* gradOutput,
                       const std::int64_t* indices, float* gradInput) override;
  void averagePool(const AveragePooling& pooling, const float* input, float* output) override;
  void averagePoolBackward(const AveragePooling& pooling, const float* gradOutput,
                           float* gradInput) override;

  void softMax(const SoftMaxGeometry& geometry, const float* input, float* output) override;
  void softMaxBackward(const SoftMaxGeometry& geometry, const float* output,
                       const float* gradOutput, float* gradInput) override;
  void logSoftMax(const SoftMaxGeometry& geometry, const float* input, float* output) override;
  void logSoftMaxBackward(const SoftMaxGeometry& geometry, const float* output,
                          const float* gradOutput, float* gradInput) override;

  void batchNormStatistics(const PlanesGeometry& geometry, float epsilon, const float* input,
                           float* mean, float* inverseStd) override;
  void inverseStandardDeviation(std::int64_t elements, float epsilon, const float* variance,
                                float* inverseStd) override;
  void updateRunningStatistics(const RunningStatistics& statistics) override;
  void batchNorm(const BatchNorm& norm, const float* input, float* output) override;
  void batchNormBackward(const BatchNormBackward& backward) override;

  WeightedSum classNll(const ClassNll& loss, const float* logProbabilities) override;
  void classNllBackward(const ClassNll& loss, float scale, float* gradInput) override;
  double pairLoss(const PairLoss& loss, const float* input, const float* target) override;
  void pairLossBackward(const PairLoss& loss, float scale, const float* input, const float* target,
                        float* gradInput) override;

  void sgdStep(const SgdStep& step, float* parameters, float* gradient, float* velocity) override;
  void adamStep(const AdamStep& step, float* parameters, float* gradient, float* mean,
                float* meanSquare) override;

 private:
  /// Tells the observer of the operation while run(inner), if there is an inner backend, runs it.
  /// Accesses of no bytes are left out.
  template <class Run>
  void record(Operation operation, const Run& run);

  std::shared_ptr<Backend> inner_;  ///< null: computes nothing
  std::string name_;
  int lanes_;
  std::shared_ptr<OperationObserver> observer_;
  int currentLane_ = -1;  ///< of the forEach item that runs; -1 outside any
};

}  // namespace torchette

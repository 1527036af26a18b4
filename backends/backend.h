// Backend: the compute half of a machine. The seam between layers and hardware.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "backends/operations.h"
#include "runtime/allocator.h"
#include "runtime/generator.h"

namespace torchette {

/// About 25 block-level operations on raw contiguous memory of one device, plus lanes. Convolution
/// is not among them: layers build it from im2col, gemm and col2im.
///
/// Pointers are to float32 elements of allocator()'s device unless said. Results are overwritten
/// unless an operation says that it accumulates; a result may be an input itself only where said.
/// Counts may be 0. An operation called outside forEach may use all lanes itself; inside, it runs
/// on the lane of its caller.
class Backend {
 public:
  virtual ~Backend() = default;

  /// "cpu", ...
  virtual std::string_view name() const = 0;
  /// Where tensors of this backend come from.
  const std::shared_ptr<Allocator>& allocator() const { return allocator_; }
  Device& device() const { return allocator_->device(); }

  /// How many pieces of work run at once.
  virtual int lanes() const = 0;
  /// Calls body(item, lane) once for each item in [0, count), lane in [0, lanes()). Items of one
  /// lane run in order. Which lane an item gets depends on count and lanes() alone. `body` must not
  /// throw.
  virtual void forEach(std::int64_t count,
                       const std::function<void(std::int64_t item, int lane)>& body) = 0;

  virtual void fill(std::int64_t elements, float value, float* y) = 0;
  /// y[i] uniform in [from, to), drawn in order from the host's random stream.
  virtual void fillUniform(std::int64_t elements, Generator& generator, double from, double to,
                           float* y);
  /// y[i] = value with probability p, else 0, drawn in order from the host's random stream.
  virtual void fillBernoulli(std::int64_t elements, Generator& generator, double p, float value,
                             float* y);
  /// y = alpha x; y may be x.
  virtual void scale(std::int64_t elements, float alpha, const float* x, float* y) = 0;
  /// y += alpha x
  virtual void addScaled(std::int64_t elements, float alpha, const float* x, float* y) = 0;
  /// y = a b, element by element; y may be a or b.
  virtual void multiply(std::int64_t elements, const float* a, const float* b, float* y) = 0;

  virtual void gemm(const Gemm& gemm) = 0;
  virtual void im2col(const ColumnsGeometry& geometry, const float* image, float* columns) = 0;
  /// Adjoint of im2col: each image element becomes the sum of the column elements that im2col
  /// copies it to.
  virtual void col2im(const ColumnsGeometry& geometry, const float* columns, float* image) = 0;
  /// y[s][p][i] = bias[p]
  virtual void fillBias(const PlanesGeometry& geometry, const float* bias, float* y) = 0;
  /// gradBias[p] += scale * sum over s, i of gradOutput[s][p][i]
  virtual void accumulateBias(const PlanesGeometry& geometry, float scale, const float* gradOutput,
                              float* gradBias) = 0;

  /// y = f(x); y may be x.
  virtual void activate(const Activation& activation, std::int64_t elements, const float* x,
                        float* y) = 0;
  /// gradInput = f'(reference) gradOutput, where reference is the output if
  /// activation.backwardReadsOutput(), else the input; gradInput may be gradOutput. For threshold
  /// and leakyRelu the output serves as the reference too.
  virtual void activateBackward(const Activation& activation, std::int64_t elements,
                                const float* reference, const float* gradOutput,
                                float* gradInput) = 0;

  /// `indices`: position within the input plane (y * width + x) of each maximum, the first if
  /// several; NaN is never a maximum, a window of only NaN gives the lowest float and index -1.
  virtual void maxPool(const PoolingGeometry& geometry, const float* input, float* output,
                       std::int64_t* indices) = 0;
  virtual void maxPoolBackward(const PoolingGeometry& geometry, const float* gradOutput,
                               const std::int64_t* indices, float* gradInput) = 0;
  virtual void averagePool(const AveragePooling& pooling, const float* input, float* output) = 0;
  virtual void averagePoolBackward(const AveragePooling& pooling, const float* gradOutput,
                                   float* gradInput) = 0;

  virtual void softMax(const SoftMaxGeometry& geometry, const float* input, float* output) = 0;
  virtual void softMaxBackward(const SoftMaxGeometry& geometry, const float* output,
                               const float* gradOutput, float* gradInput) = 0;
  virtual void logSoftMax(const SoftMaxGeometry& geometry, const float* input, float* output) = 0;
  virtual void logSoftMaxBackward(const SoftMaxGeometry& geometry, const float* output,
                                  const float* gradOutput, float* gradInput) = 0;

  /// Mean and 1 / sqrt(biased variance + epsilon) of each plane over samples and pixels.
  virtual void batchNormStatistics(const PlanesGeometry& geometry, float epsilon,
                                   const float* input, float* mean, float* inverseStd) = 0;
  /// inverseStd = 1 / sqrt(variance + epsilon)
  virtual void inverseStandardDeviation(std::int64_t elements, float epsilon, const float* variance,
                                        float* inverseStd) = 0;
  virtual void updateRunningStatistics(const RunningStatistics& statistics) = 0;
  virtual void batchNorm(const BatchNorm& norm, const float* input, float* output) = 0;
  virtual void batchNormBackward(const BatchNormBackward& backward) = 0;

  /// Sum over the samples of -weight[target] * input[sample][target], and of the weights.
  virtual WeightedSum classNll(const ClassNll& loss, const float* logProbabilities) = 0;
  /// gradInput[sample][target] = -weight[target] * scale, 0 elsewhere.
  virtual void classNllBackward(const ClassNll& loss, float scale, float* gradInput) = 0;
  /// Sum over the elements of the loss, in double.
  virtual double pairLoss(const PairLoss& loss, const float* input, const float* target) = 0;
  /// gradInput = scale times the derivative of the sum by each input element.
  virtual void pairLossBackward(const PairLoss& loss, float scale, const float* input,
                                const float* target, float* gradInput) = 0;

  /// Moves `parameters` against `gradient`; `velocity` is read unless step.isFirst, and written.
  virtual void sgdStep(const SgdStep& step, float* parameters, float* gradient,
                       float* velocity) = 0;
  /// `mean` and `meanSquare` are the running moments of the gradient.
  virtual void adamStep(const AdamStep& step, float* parameters, float* gradient, float* mean,
                        float* meanSquare) = 0;

 protected:
  explicit Backend(std::shared_ptr<Allocator> allocator) : allocator_(std::move(allocator)) {}

 private:
  std::shared_ptr<Allocator> allocator_;
};

}  // namespace torchette

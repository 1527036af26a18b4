// Argument lists of the backend operations that take more than a few pointers.
#pragma once

#include <cstdint>

#include "backends/kernels/geometry.h"

namespace torchette {

/// C = alpha op(A) op(B) + beta C, all row-major; op(A) is m x k, op(B) k x n, C m x n. A leading
/// dimension is the distance, in elements, between the rows of the matrix as stored. beta 0 never
/// reads C.
struct Gemm {
  bool transposeA = false, transposeB = false;
  std::int64_t m = 0, n = 0, k = 0;
  float alpha = 1;
  const float* a = nullptr;
  std::int64_t lda = 0;
  const float* b = nullptr;
  std::int64_t ldb = 0;
  float beta = 0;
  float* c = nullptr;
  std::int64_t ldc = 0;
};

/// An element-wise non-linearity.
struct Activation {
  enum class Kind { threshold, leakyRelu, tanh, sigmoid };
  Kind kind = Kind::threshold;
  float threshold = 0, value = 0;  ///< threshold only: x where x > threshold, else value
  float negativeSlope = 0;         ///< leakyRelu only

  /// Whether the gradient is a function of the output (else of the input).
  bool backwardReadsOutput() const { return kind == Kind::tanh || kind == Kind::sigmoid; }
};

/// Average pooling; countIncludePad divides by the window's extent in the padded image.
struct AveragePooling {
  PoolingGeometry geometry;
  bool countIncludePad = true;
};

/// Normalisation of each plane by mean and inverse standard deviation; weight and bias may be null.
struct BatchNorm {
  PlanesGeometry geometry;
  const float* mean = nullptr;
  const float* inverseStd = nullptr;
  const float* weight = nullptr;
  const float* bias = nullptr;
};

/// Gradients of BatchNorm. The mean and deviation were computed from `input` itself if
/// batchStatistics, else they are constants. Null results are not computed; gradWeight and gradBias
/// accumulate `scale` times.
struct BatchNormBackward {
  BatchNorm forward;
  bool batchStatistics = true;
  const float* input = nullptr;
  const float* gradOutput = nullptr;
  float* gradInput = nullptr;
  float* gradWeight = nullptr;
  float* gradBias = nullptr;
  float scale = 1;
};

/// Running statistics of batch normalisation move by `momentum` towards those of the batch.
struct RunningStatistics {
  PlanesGeometry geometry;
  float momentum = 0;
  float epsilon = 0;
  const float* mean = nullptr;        ///< of the batch
  const float* inverseStd = nullptr;  ///< of the batch: 1 / sqrt(biased variance + epsilon)
  float* runningMean = nullptr;
  float* runningVariance = nullptr;  ///< unbiased
};

/// Negative log-likelihood of targets in [0, classes); weights (one per class) may be null.
struct ClassNll {
  std::int64_t samples = 0, classes = 0;
  const std::int64_t* targets = nullptr;
  const float* weights = nullptr;
};

struct WeightedSum {
  double sum = 0;
  double weight = 0;
};

/// A loss that compares input and target element by element. `weights` has rowElements values that
/// repeat for every row; null for none (and for mse).
struct PairLoss {
  enum class Kind { meanSquared, binaryCrossEntropy };
  Kind kind = Kind::meanSquared;
  std::int64_t elements = 0;
  const float* weights = nullptr;
  std::int64_t rowElements = 1;
};

/// One step of optim.sgd on a flat parameter vector. Source: Torch7 optim/sgd.lua.
struct SgdStep {
  std::int64_t elements = 0;
  float learningRate = 0;
  float weightDecay = 0;  ///< added to the gradient in place
  double momentum = 0;    ///< 0: velocity is null
  double dampening = 0;
  bool nesterov = false;
  bool isFirst = true;  ///< velocity becomes the gradient itself
};

/// One step of optim.adam on a flat parameter vector. Source: Torch7 optim/adam.lua.
struct AdamStep {
  std::int64_t elements = 0;
  float stepSize = 0;  ///< learning rate with decay and bias corrections applied
  double beta1 = 0, beta2 = 0;
  float epsilon = 0;
  float weightDecay = 0;  ///< added to the gradient in place
};

}  // namespace torchette

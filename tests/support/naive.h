// References in double, as close to the definitions as can be: one loop per index, no tricks.
// Vectors are row-major; results are rounded to float at the very end.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "backends/operations.h"

namespace torchette::testing::naive {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

inline Floats rounded(const Doubles& values) {
  Floats floats(values.size());
  std::transform(values.begin(), values.end(), floats.begin(),
                 [](double value) { return static_cast<float>(value); });
  return floats;
}

/// The sum of a[i] b[i].
inline double dot(const Floats& a, const Floats& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

// ---------------------------------------------------------------------------------------- products

/// C after the product; the pointers in `gemm` are not used.
inline Floats gemm(const Gemm& gemm, const Floats& a, const Floats& b, Floats c) {
  for (std::int64_t i = 0; i < gemm.m; ++i) {
    for (std::int64_t j = 0; j < gemm.n; ++j) {
      double sum = 0;
      for (std::int64_t p = 0; p < gemm.k; ++p) {
        const double left = gemm.transposeA ? a[p * gemm.lda + i] : a[i * gemm.lda + p];
        const double right = gemm.transposeB ? b[j * gemm.ldb + p] : b[p * gemm.ldb + j];
        sum += left * right;
      }
      float& element = c[i * gemm.ldc + j];
      const double kept = gemm.beta == 0 ? 0 : static_cast<double>(gemm.beta) * element;
      element = static_cast<float>(gemm.alpha * sum + kept);
    }
  }
  return c;
}

// ------------------------------------------------------------------------------------- convolution

/// A batch of convolutions; weights are outputPlanes x inputPlanes x kH x kW.
struct Convolution {
  std::int64_t samples = 1, inputPlanes = 1, height = 1, width = 1;
  std::int64_t outputPlanes = 1;
  Window window;

  std::int64_t outputHeight() const {
    return (height + 2 * window.padH - window.kH) / window.dH + 1;
  }
  std::int64_t outputWidth() const { return (width + 2 * window.padW - window.kW) / window.dW + 1; }
  std::int64_t inputElements() const { return samples * inputPlanes * height * width; }
  std::int64_t outputElements() const {
    return samples * outputPlanes * outputHeight() * outputWidth();
  }
  std::int64_t weightElements() const { return outputPlanes * inputPlanes * window.kH * window.kW; }
};

/// Calls visit(output, input, weight) with the three indices of every product that a convolution
/// sums.
template <class Visit>
void forEachProduct(const Convolution& c, const Visit& visit) {
  const Window& w = c.window;
  for (std::int64_t s = 0; s < c.samples; ++s)
    for (std::int64_t o = 0; o < c.outputPlanes; ++o)
      for (std::int64_t y = 0; y < c.outputHeight(); ++y)
        for (std::int64_t x = 0; x < c.outputWidth(); ++x)
          for (std::int64_t p = 0; p < c.inputPlanes; ++p)
            for (std::int64_t i = 0; i < w.kH; ++i)
              for (std::int64_t j = 0; j < w.kW; ++j) {
                const std::int64_t row = y * w.dH - w.padH + i;
                const std::int64_t column = x * w.dW - w.padW + j;
                if (row < 0 || row >= c.height || column < 0 || column >= c.width) continue;
                visit(((s * c.outputPlanes + o) * c.outputHeight() + y) * c.outputWidth() + x,
                      ((s * c.inputPlanes + p) * c.height + row) * c.width + column,
                      ((o * c.inputPlanes + p) * w.kH + i) * w.kW + j);
              }
}

/// `bias` may be empty.
inline Floats convolve(const Convolution& convolution, const Floats& input, const Floats& weight,
                       const Floats& bias) {
  Doubles output(convolution.outputElements(), 0.0);
  const std::int64_t pixels = convolution.outputHeight() * convolution.outputWidth();
  for (std::size_t i = 0; i < output.size() && !bias.empty(); ++i) {
    output[i] = bias[i / pixels % convolution.outputPlanes];
  }
  forEachProduct(convolution, [&](std::int64_t o, std::int64_t i, std::int64_t w) {
    output[o] += static_cast<double>(input[i]) * static_cast<double>(weight[w]);
  });
  return rounded(output);
}

/// Also the forward pass, without bias, of the full convolution from outputPlanes to inputPlanes.
inline Floats convolutionGradInput(const Convolution& convolution, const Floats& gradOutput,
                                   const Floats& weight) {
  Doubles gradInput(convolution.inputElements(), 0.0);
  forEachProduct(convolution, [&](std::int64_t o, std::int64_t i, std::int64_t w) {
    gradInput[i] += static_cast<double>(gradOutput[o]) * static_cast<double>(weight[w]);
  });
  return rounded(gradInput);
}

inline Floats convolutionGradWeight(const Convolution& convolution, const Floats& input,
                                    const Floats& gradOutput) {
  Doubles gradWeight(convolution.weightElements(), 0.0);
  forEachProduct(convolution, [&](std::int64_t o, std::int64_t i, std::int64_t w) {
    gradWeight[w] += static_cast<double>(gradOutput[o]) * static_cast<double>(input[i]);
  });
  return rounded(gradWeight);
}

/// Per plane, the sum over samples and pixels.
inline Floats planeSums(const PlanesGeometry& geometry, const Floats& values) {
  Doubles sums(geometry.planes, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[i / geometry.pixels % geometry.planes] += values[i];
  }
  return rounded(sums);
}

/// The columns matrix of one image.
inline Floats im2col(const ColumnsGeometry& geometry, const Floats& image) {
  const Window& w = geometry.window;
  Floats columns(geometry.rows() * geometry.pixels());
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const std::int64_t x = at % geometry.columnsWidth;
    const std::int64_t y = at / geometry.columnsWidth % geometry.columnsHeight;
    const std::int64_t row = at / geometry.pixels();
    const std::int64_t imageX = x * w.dW - w.padW + row % w.kW;
    const std::int64_t imageY = y * w.dH - w.padH + row / w.kW % w.kH;
    const std::int64_t plane = row / (w.kW * w.kH);
    const bool isInside =
        imageX >= 0 && imageX < geometry.width && imageY >= 0 && imageY < geometry.height;
    columns[at] =
        isInside ? image[(plane * geometry.height + imageY) * geometry.width + imageX] : 0.0F;
  }
  return columns;
}

// ----------------------------------------------------------------------------------------- pooling

/// Calls visit(output, input, windowElements, pixelsInside) for each output index and each pixel,
/// row-major, that its window holds. windowElements counts padding, but nothing beyond it.
template <class Visit>
void forEachPooledPixel(const PoolingGeometry& g, const Visit& visit) {
  const Window& w = g.window;
  for (std::int64_t plane = 0; plane < g.planes; ++plane)
    for (std::int64_t y = 0; y < g.outputHeight; ++y)
      for (std::int64_t x = 0; x < g.outputWidth; ++x) {
        const std::int64_t top = y * w.dH - w.padH;
        const std::int64_t left = x * w.dW - w.padW;
        const std::int64_t bottom = std::min(top + w.kH, g.height + w.padH);
        const std::int64_t right = std::min(left + w.kW, g.width + w.padW);
        const std::int64_t firstRow = std::max<std::int64_t>(top, 0);
        const std::int64_t firstColumn = std::max<std::int64_t>(left, 0);
        const std::int64_t lastRow = std::min(bottom, g.height);
        const std::int64_t lastColumn = std::min(right, g.width);
        for (std::int64_t i = firstRow; i < lastRow; ++i)
          for (std::int64_t j = firstColumn; j < lastColumn; ++j)
            visit((plane * g.outputHeight + y) * g.outputWidth + x,
                  (plane * g.height + i) * g.width + j, (bottom - top) * (right - left),
                  (lastRow - firstRow) * (lastColumn - firstColumn));
      }
}

struct MaxPooled {
  Floats output;
  std::vector<std::int64_t> indices;
};

inline MaxPooled maxPool(const PoolingGeometry& geometry, const Floats& input) {
  const std::int64_t outputs = geometry.planes * geometry.outputHeight * geometry.outputWidth;
  const std::int64_t planeElements = geometry.height * geometry.width;
  MaxPooled pooled{Floats(outputs, std::numeric_limits<float>::lowest()),
                   std::vector<std::int64_t>(outputs, -1)};
  forEachPooledPixel(geometry, [&](std::int64_t o, std::int64_t i, std::int64_t, std::int64_t) {
    if (std::isnan(input[i])) return;
    if (pooled.indices[o] >= 0 && input[i] <= pooled.output[o]) return;
    pooled.output[o] = input[i];
    pooled.indices[o] = i % planeElements;
  });
  return pooled;
}

inline Floats maxPoolBackward(const PoolingGeometry& geometry, const Floats& gradOutput,
                              const std::vector<std::int64_t>& indices) {
  const std::int64_t planeElements = geometry.height * geometry.width;
  const std::int64_t planeOutputs = geometry.outputHeight * geometry.outputWidth;
  Doubles gradInput(geometry.planes * planeElements, 0.0);
  for (std::size_t o = 0; o < gradOutput.size(); ++o) {
    if (indices[o] < 0) continue;
    gradInput[static_cast<std::int64_t>(o) / planeOutputs * planeElements + indices[o]] +=
        gradOutput[o];
  }
  return rounded(gradInput);
}

inline Floats averagePool(const AveragePooling& pooling, const Floats& input) {
  const PoolingGeometry& geometry = pooling.geometry;
  Doubles output(geometry.planes * geometry.outputHeight * geometry.outputWidth, 0.0);
  forEachPooledPixel(geometry, [&](std::int64_t o, std::int64_t i, std::int64_t windowElements,
                                   std::int64_t pixelsInside) {
    const std::int64_t divisor = pooling.countIncludePad ? windowElements : pixelsInside;
    output[o] += static_cast<double>(input[i]) / static_cast<double>(divisor);
  });
  return rounded(output);
}

inline Floats averagePoolBackward(const AveragePooling& pooling, const Floats& gradOutput) {
  const PoolingGeometry& geometry = pooling.geometry;
  Doubles gradInput(geometry.planes * geometry.height * geometry.width, 0.0);
  forEachPooledPixel(geometry, [&](std::int64_t o, std::int64_t i, std::int64_t windowElements,
                                   std::int64_t pixelsInside) {
    const std::int64_t divisor = pooling.countIncludePad ? windowElements : pixelsInside;
    gradInput[i] += static_cast<double>(gradOutput[o]) / static_cast<double>(divisor);
  });
  return rounded(gradInput);
}

// ---------------------------------------------------------------------------------------- soft max

/// logSoftMax in double; softMax is its exponential.
inline Doubles logSoftMaxInDouble(const SoftMaxGeometry& geometry, const Floats& input) {
  Doubles output(input.size());
  const std::int64_t stride = geometry.inner;
  for (std::int64_t o = 0; o < geometry.outer; ++o)
    for (std::int64_t i = 0; i < geometry.inner; ++i) {
      const std::int64_t first = o * geometry.classes * stride + i;
      const std::int64_t end = first + geometry.classes * stride;
      double largest = -std::numeric_limits<double>::infinity();
      double sum = 0;
      for (std::int64_t at = first; at < end; at += stride) {
        largest = std::max<double>(largest, input[at]);
      }
      for (std::int64_t at = first; at < end; at += stride) sum += std::exp(input[at] - largest);
      for (std::int64_t at = first; at < end; at += stride) {
        output[at] = input[at] - largest - std::log(sum);
      }
    }
  return output;
}

inline Floats logSoftMax(const SoftMaxGeometry& geometry, const Floats& input) {
  return rounded(logSoftMaxInDouble(geometry, input));
}

inline Floats softMax(const SoftMaxGeometry& geometry, const Floats& input) {
  Doubles output = logSoftMaxInDouble(geometry, input);
  for (double& value : output) value = std::exp(value);
  return rounded(output);
}

// ----------------------------------------------------------------------------- batch normalisation

struct PlaneStatistics {
  Doubles mean;
  Doubles variance;  ///< biased
};

inline PlaneStatistics planeStatistics(const PlanesGeometry& geometry, const Floats& input) {
  const auto count = static_cast<double>(geometry.samples * geometry.pixels);
  PlaneStatistics statistics{Doubles(geometry.planes, 0.0), Doubles(geometry.planes, 0.0)};
  const auto planeOf = [&](std::size_t i) { return i / geometry.pixels % geometry.planes; };
  for (std::size_t i = 0; i < input.size(); ++i) statistics.mean[planeOf(i)] += input[i] / count;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const double distance = input[i] - statistics.mean[planeOf(i)];
    statistics.variance[planeOf(i)] += distance * distance / count;
  }
  return statistics;
}

/// Normalises by the statistics of the input; weight and bias may be empty.
inline Doubles batchNormInDouble(const PlanesGeometry& geometry, double epsilon,
                                 const Floats& input, const Floats& weight, const Floats& bias) {
  const PlaneStatistics statistics = planeStatistics(geometry, input);
  Doubles output(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) {
    const std::size_t plane = i / geometry.pixels % geometry.planes;
    const double deviation = std::sqrt(statistics.variance[plane] + epsilon);
    const double scale = weight.empty() ? 1.0 : weight[plane];
    const double shift = bias.empty() ? 0.0 : bias[plane];
    output[i] = (input[i] - statistics.mean[plane]) / deviation * scale + shift;
  }
  return output;
}

inline Floats batchNorm(const PlanesGeometry& geometry, double epsilon, const Floats& input,
                        const Floats& weight, const Floats& bias) {
  return rounded(batchNormInDouble(geometry, epsilon, input, weight, bias));
}

// --------------------------------------------------------------------------------------- gradients

/// The derivative of loss(values) by each value, by central differences of a function that computes
/// in double.
template <class Loss>
Floats numericGradient(const Loss& loss, Floats values, float step = 1.0F / 1024) {
  Doubles gradient(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float original = values[i];
    const float above = original + step;
    const float below = original - step;
    values[i] = above;
    const double lossAbove = loss(values);
    values[i] = below;
    const double lossBelow = loss(values);
    values[i] = original;
    gradient[i] =
        (lossAbove - lossBelow) / (static_cast<double>(above) - static_cast<double>(below));
  }
  return rounded(gradient);
}

/// The sum of values[i] * weights[i]: a loss whose gradient by `values` is `weights`.
inline double dot(const Doubles& values, const Floats& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * weights[i];
  return sum;
}

}  // namespace torchette::testing::naive

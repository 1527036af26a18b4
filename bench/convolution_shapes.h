// The convolutions that the benchmarks time: layers of well-known networks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "layers/convolution.h"

namespace torchette::bench {

/// A square convolution on a square batch of images.
struct ConvolutionShape {
  std::string name;
  bool isFull;  ///< SpatialFullConvolution, else SpatialConvolution
  std::int64_t samples, inputPlanes, inputExtent;
  std::int64_t outputPlanes, kernel, stride, pad;

  Shape inputShape() const { return {samples, inputPlanes, inputExtent, inputExtent}; }
  std::unique_ptr<nn::Convolution> makeLayer(const nn::Context& context) const;
};

const std::vector<ConvolutionShape>& convolutionShapes();

}  // namespace torchette::bench

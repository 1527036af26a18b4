// ImageBatch: the extents of a spatial layer's input or output, with or without a batch dimension.
#pragma once

#include "runtime/tensor.h"

namespace torchette::nn {

/// samples x planes x height x width; samples is 1 where there is no batch dimension.
struct ImageBatch {
  bool isBatch = true;
  std::int64_t samples = 0, planes = 0, height = 0, width = 0;

  /// Reads a 3-D (planes x height x width) or 4-D tensor; throws ShapeError for any other rank,
  /// naming the current owner.
  static ImageBatch of(const Tensor& tensor);

  std::int64_t pixels() const { return height * width; }
  std::int64_t elementsPerSample() const { return planes * height * width; }
  /// With the batch dimension exactly where the tensor had one.
  Shape shape() const;
  /// The same samples with other planes of another extent.
  ImageBatch with(std::int64_t newPlanes, std::int64_t newHeight, std::int64_t newWidth) const {
    return {isBatch, samples, newPlanes, newHeight, newWidth};
  }
};

/// Throws ShapeError, naming the current owner, unless the images have `expected` planes.
void requirePlanes(const ImageBatch& images, std::int64_t expected);
/// Throws ShapeError, naming the current owner and both sizes, unless output has at least one
/// pixel.
void requirePixels(const ImageBatch& input, const ImageBatch& output);

}  // namespace torchette::nn

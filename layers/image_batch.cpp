#include "layers/image_batch.h"

#include "runtime/errors.h"
#include "runtime/owner_scope.h"

namespace torchette::nn {

namespace {

std::string sizeText(const ImageBatch& images) {
  return Shape{images.planes, images.height, images.width}.toString();
}

}  // namespace

ImageBatch ImageBatch::of(const Tensor& tensor) {
  if (tensor.rank() != 3 && tensor.rank() != 4) {
    throw ShapeError(OwnerScope::current(),
                     "expected an input of planes x height x width or samples x planes x height x "
                     "width, got size " +
                         tensor.shape().toString() + "; view it as one of these");
  }
  const bool isBatch = tensor.rank() == 4;
  const int first = isBatch ? 1 : 0;
  return {isBatch, isBatch ? tensor.size(0) : 1, tensor.size(first), tensor.size(first + 1),
          tensor.size(first + 2)};
}

Shape ImageBatch::shape() const {
  return isBatch ? Shape{samples, planes, height, width} : Shape{planes, height, width};
}

void requirePlanes(const ImageBatch& images, std::int64_t expected) {
  if (images.planes != expected) {
    throw ShapeError(OwnerScope::current(), "expected an input of " + std::to_string(expected) +
                                                " planes, got " + std::to_string(images.planes) +
                                                " in size " + images.shape().toString());
  }
}

void requirePixels(const ImageBatch& input, const ImageBatch& output) {
  if (output.height < 1 || output.width < 1) {
    const auto height = std::to_string(output.height);
    const auto width = std::to_string(output.width);
    throw ShapeError(OwnerScope::current(),
                     "the given input size " + sizeText(input) + " gives the output size " +
                         std::to_string(output.planes) + "x" + height + "x" + width +
                         ", which is too small; use a larger input or a smaller kernel");
  }
}

}  // namespace torchette::nn

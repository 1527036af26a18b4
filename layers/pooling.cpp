#include "layers/pooling.h"

#include "layers/window_geometry.h"
#include "runtime/errors.h"

namespace torchette::nn {

namespace {

void requireAtMostHalf(std::int64_t pad, std::int64_t kernel, const char* name) {
  if (pad > kernel / 2) {
    throw ArgumentError(OwnerScope::current(), std::string(name) + " is " + std::to_string(pad) +
                                                   "; it must be at most half the kernel, which "
                                                   "is " +
                                                   std::to_string(kernel));
  }
}

}  // namespace

Pooling::Pooling(Context context, const Window& window)
    : Module(std::move(context)), window_(window) {
  requireWindow(window);
  requireAtMostHalf(window.padW, window.kW, "padW");
  requireAtMostHalf(window.padH, window.kH, "padH");
}

std::string Pooling::description() const {
  return type() + "(" + describePoolingWindow(window_) + ")";
}

ImageBatch Pooling::outputFor(const ImageBatch& images) const {
  const auto positions = ceilMode_ ? windowPositionsCeil : windowPositions;
  return images.with(images.planes, positions(images.height, window_.kH, window_.dH, window_.padH),
                     positions(images.width, window_.kW, window_.dW, window_.padW));
}

PoolingGeometry Pooling::geometryFor(const ImageBatch& images) const {
  const auto results = outputFor(images);
  return {images.samples * images.planes,
          images.height,
          images.width,
          window_,
          results.height,
          results.width};
}

void Pooling::updateOutput(const Activity& input) {
  const auto images = ImageBatch::of(input.tensor());
  const auto results = outputFor(images);
  requirePixels(images, results);
  output.tensor().resize(results.shape());
  pool(geometryFor(images), input.tensor());
}

}  // namespace torchette::nn

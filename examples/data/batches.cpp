// Pixel bytes on their way into tensors.
#include "examples/data/batches.h"

#include <algorithm>

#include "runtime/errors.h"
#include "runtime/owner_scope.h"

namespace torchette::data {

Batches::Batches(const Dataset& dataset, const std::shared_ptr<Allocator>& allocator,
                 std::int64_t imagesPerBatch)
    : dataset_(dataset),
      imagesPerBatch_(imagesPerBatch),
      images_(allocator, "images"),
      labels_(allocator, "labels", DType::int64) {
  if (imagesPerBatch < 1) {
    throw ArgumentError("data",
                        "a batch needs at least 1 image, got " + std::to_string(imagesPerBatch));
  }
}

void Batches::shuffle(Generator& generator) { order_ = generator.permutation(dataset_.count); }

std::int64_t Batches::count() const {
  return dataset_.count / imagesPerBatch_ + (dataset_.count % imagesPerBatch_ != 0 ? 1 : 0);
}

void Batches::load(std::int64_t batch) {
  const auto first = batch * imagesPerBatch_;
  const auto images = std::min(imagesPerBatch_, dataset_.count - first);
  resizeTo(images);
  const auto pixels = dataset_.pixelsPerImage();
  for (std::int64_t i = 0; i < images; ++i) {
    const auto image = imageAt(first + i);
    const auto* source = dataset_.pixels.data() + image * pixels;
    std::transform(source, source + pixels, hostImages_.data() + i * pixels,
                   [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255.0f; });
    hostLabels_[static_cast<std::size_t>(i)] = dataset_.labels[static_cast<std::size_t>(image)];
  }
  images_.copyFromValues(hostImages_);
  labels_.copyFromValues(hostLabels_);
}

/// Allocates in the first batch only: vectors and storages keep their room. What is resized last
/// tells whether all is done, so that a call after a failed one completes it.
void Batches::resizeTo(std::int64_t images) {
  if (static_cast<std::int64_t>(hostLabels_.size()) == images) return;
  const OwnerScope scope("data");
  images_.resize({images, dataset_.planes, dataset_.height, dataset_.width});
  labels_.resize({images});
  hostImages_.resize(static_cast<std::size_t>(images_.elements()));
  hostLabels_.resize(static_cast<std::size_t>(images));
}

std::int64_t Batches::imageAt(std::int64_t position) const {
  return order_.empty() ? position : order_[static_cast<std::size_t>(position)];
}

}  // namespace torchette::data

// Batches: a dataset cut into batches of tensors, in a random order or as stored.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "examples/data/dataset.h"
#include "runtime/generator.h"
#include "runtime/tensor.h"

namespace torchette::data {

/// All batches pass through the same two tensors, whose bytes are attributed to the owner "data".
/// The last batch holds what is left, so every image is used.
class Batches {
 public:
  /// `dataset` must outlive this. Throws ArgumentError unless imagesPerBatch >= 1.
  Batches(const Dataset& dataset, const std::shared_ptr<Allocator>& allocator,
          std::int64_t imagesPerBatch);

  /// Images come in a new random order from now on.
  void shuffle(Generator& generator);

  std::int64_t count() const;
  /// Fills images and labels with batch number `batch` in [0, count()).
  void load(std::int64_t batch);

  /// batch x planes x height x width, each pixel byte divided by 255.
  const Tensor& images() const { return images_; }
  /// int64 class numbers.
  const Tensor& labels() const { return labels_; }
  /// The same numbers in main memory.
  const std::vector<std::int64_t>& hostLabels() const { return hostLabels_; }

 private:
  void resizeTo(std::int64_t images);
  std::int64_t imageAt(std::int64_t position) const;

  const Dataset& dataset_;
  std::int64_t imagesPerBatch_;
  std::vector<std::int64_t> order_;  ///< empty: as stored
  std::vector<float> hostImages_;
  std::vector<std::int64_t> hostLabels_;
  Tensor images_;
  Tensor labels_;
};

}  // namespace torchette::data

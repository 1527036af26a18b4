// A sheet of images and what an autoencoder makes of them.
#pragma once

#include <filesystem>
#include <vector>

#include "examples/training/trainer.h"

namespace torchette::training {

/// Throws StateError for a classifier, ShapeError for images of other than 1 (grey) or 3 (colour)
/// planes.
void requireSampleSheetPossible(const Trainer& trainer);

inline constexpr std::int64_t mostSampleImages = 32;

/// Pixels of the same size and order.
struct ReconstructedImages {
  Shape shape;  ///< batch x planes x height x width
  std::vector<float> inputs, outputs;
};

/// The first test images, at most mostSampleImages, and what the network makes of them; leaves it
/// in evaluate mode. Throws what requireSampleSheetPossible() throws.
ReconstructedImages reconstructSamples(const Trainer& trainer);

/// Writes a PNG of reconstructSamples(): rows of 16 inputs, each followed by a row of their
/// reconstructions. Throws what requireSampleSheetPossible() throws, and FileError if the
/// file cannot be written.
void writeSampleSheet(const Trainer& trainer, const std::filesystem::path& path);

}  // namespace torchette::training

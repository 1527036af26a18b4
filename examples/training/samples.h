// A sheet of images and what an autoencoder makes of them.
#pragma once

#include <filesystem>

#include "examples/training/trainer.h"

namespace torchette::training {

/// Throws StateError for a classifier, ShapeError for images of other than 1 (grey) or 3 (colour)
/// planes.
void requireSampleSheetPossible(const Trainer& trainer);

/// Writes a PNG of the first test images, at most 32: rows of 16 inputs, each followed by a row of
/// their reconstructions. Throws what requireSampleSheetPossible() throws, and FileError if the
/// file cannot be written.
void writeSampleSheet(Trainer& trainer, const std::filesystem::path& path);

}  // namespace torchette::training

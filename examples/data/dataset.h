// Dataset: labelled images in main memory, and where they come from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/shape.h"

namespace torchette::data {

/// Images of one size with a class number each.
struct Dataset {
  std::int64_t count = 0;
  std::int64_t planes = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::vector<std::uint8_t> pixels;  ///< count x planes x height x width
  std::vector<std::uint8_t> labels;  ///< count

  std::int64_t pixelsPerImage() const { return planes * height * width; }
  /// planes x height x width
  Shape sampleShape() const { return {planes, height, width}; }
  /// The largest label; -1 without images.
  int largestLabel() const;
  /// CRC-32 of sizes, pixels and labels: tells one dataset from another.
  std::uint32_t checksum() const;
  /// Keeps the first `images` images. Throws ArgumentError unless `images` >= 1; more than there
  /// are keeps all.
  void limit(std::int64_t images);
};

/// What a network is trained and tested on; both parts have at least one image, of the same size.
struct ImageData {
  std::string name;  ///< "fashion-mnist", "synthetic", or the directory
  Dataset training;
  Dataset test;
};

/// Reads train-images-idx3-ubyte, train-labels-idx1-ubyte and the two t10k- files of a directory,
/// each gzipped (.gz) or not; "train-images.idx3-ubyte" is accepted too. Throws FileError if one is
/// missing or broken, or if the four do not fit together.
ImageData loadImageDirectory(const std::filesystem::path& directory);

/// Where the Debian package dataset-fashion-mnist puts its images.
std::filesystem::path fashionMnistDirectory();

/// The images of that package, named "fashion-mnist". Throws FileError that says how to get them if
/// there is no such directory.
ImageData loadFashionMnist(const std::filesystem::path& directory = fashionMnistDirectory());

/// Noisy variations of one random prototype per class: easy to learn, for any image size, and the
/// same for the same arguments. `sampleShape` is planes x height x width, `classes` in [1, 256].
/// Throws ArgumentError for other arguments.
ImageData syntheticData(std::int64_t trainingImages, std::int64_t testImages,
                        const Shape& sampleShape, int classes, std::uint32_t seed);

}  // namespace torchette::data

// Synthetic data: a pattern of random grey blocks per class, plus noise.
#include <algorithm>

#include "examples/data/dataset.h"
#include "runtime/errors.h"
#include "runtime/generator.h"

namespace torchette::data {

namespace {

constexpr std::int64_t blockExtent = 4;  ///< pixels; coarse enough to survive pooling
constexpr double noise = 48;             ///< largest change of a pixel byte

/// One image in which each block has a random grey.
std::vector<double> prototype(const Shape& shape, Generator& generator) {
  const auto planes = shape[0], height = shape[1], width = shape[2];
  const auto blocksAcross = (width + blockExtent - 1) / blockExtent;
  std::vector<double> pixels, blocks(static_cast<std::size_t>(blocksAcross));
  for (std::int64_t row = 0; row < planes * height; ++row) {
    if (row % height % blockExtent == 0) {
      std::ranges::generate(blocks, [&generator] { return generator.uniform(0, 255); });
    }
    for (std::int64_t x = 0; x < width; ++x) {
      pixels.push_back(blocks[static_cast<std::size_t>(x / blockExtent)]);
    }
  }
  return pixels;
}

Dataset variations(std::int64_t images, const Shape& shape,
                   const std::vector<std::vector<double>>& prototypes, Generator& generator) {
  Dataset dataset{images, shape[0], shape[1], shape[2], {}, {}};
  dataset.pixels.reserve(static_cast<std::size_t>(images * dataset.pixelsPerImage()));
  for (std::int64_t image = 0; image < images; ++image) {
    const auto label = static_cast<std::size_t>(image) % prototypes.size();
    dataset.labels.push_back(static_cast<std::uint8_t>(label));
    for (const double pixel : prototypes[label]) {
      const double value = pixel + generator.uniform(-noise, noise);
      dataset.pixels.push_back(static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)));
    }
  }
  return dataset;
}

}  // namespace

ImageData syntheticData(std::int64_t trainingImages, std::int64_t testImages,
                        const Shape& sampleShape, int classes, std::uint32_t seed) {
  if (trainingImages < 1 || testImages < 1 || classes < 1 || classes > 256) {
    throw ArgumentError("synthetic data",
                        "needs at least 1 training and 1 test image and 1 to 256 classes, got " +
                            std::to_string(trainingImages) + ", " + std::to_string(testImages) +
                            " and " + std::to_string(classes));
  }
  if (sampleShape.rank() != 3 || sampleShape.elements() == 0) {
    throw ArgumentError("synthetic data",
                        "an image is planes x height x width, got " + sampleShape.toString());
  }
  Generator generator(seed);
  std::vector<std::vector<double>> prototypes;
  prototypes.reserve(static_cast<std::size_t>(classes));
  for (int i = 0; i < classes; ++i) prototypes.push_back(prototype(sampleShape, generator));
  ImageData data{"synthetic", {}, {}};
  data.training = variations(trainingImages, sampleShape, prototypes, generator);
  data.test = variations(testImages, sampleShape, prototypes, generator);
  return data;
}

}  // namespace torchette::data

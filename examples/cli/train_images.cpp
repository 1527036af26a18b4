// Loading or making the images to train on.
#include "examples/cli/train_images.h"

namespace torchette::cli {

namespace {

data::ImageData loadAllImages(const TrainOptions& options, const nn::Model& model) {
  if (!options.dataDirectory.empty()) return data::loadImageDirectory(options.dataDirectory);
  if (options.data == "fashion-mnist") return data::loadFashionMnist();
  constexpr std::int64_t trainingImages = 10'000;
  constexpr std::int64_t testImages = 2'000;
  constexpr int classes = 10;
  constexpr std::uint32_t dataSeed = 1;
  return data::syntheticData(trainingImages, testImages,
                             model.sampleShape.value_or(Shape{1, 28, 28}), classes, dataSeed);
}

}  // namespace

data::ImageData loadImages(const TrainOptions& options, const nn::Model& model) {
  auto images = loadAllImages(options, model);
  if (options.limit) {
    images.training.limit(*options.limit);
    images.test.limit(*options.limit);
  }
  return images;
}

}  // namespace torchette::cli

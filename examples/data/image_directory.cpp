// Datasets from directories that look like MNIST's.
#include "examples/data/dataset.h"
#include "examples/data/idx.h"
#include "runtime/errors.h"

namespace torchette::data {

namespace {

namespace fs = std::filesystem;

/// The file named `name` and then one of the usual endings.
fs::path findFile(const fs::path& directory, const std::string& name,
                  const std::vector<std::string>& endings) {
  for (const auto& ending : endings) {
    for (const char* compression : {"", ".gz"}) {
      auto path = directory / (name + ending + compression);
      if (fs::exists(path)) return path;
    }
  }
  throw FileError(directory.string(), "there is no " + name + endings.front() +
                                          " in this directory, gzipped (.gz) or not");
}

/// Images and labels whose file names begin with `prefix`.
Dataset readDataset(const fs::path& directory, const std::string& prefix) {
  const auto imagesPath = findFile(directory, prefix + "-images",
                                   {"-idx3-ubyte", ".idx3-ubyte", "-idx4-ubyte", ".idx4-ubyte"});
  const auto labelsPath = findFile(directory, prefix + "-labels", {"-idx1-ubyte", ".idx1-ubyte"});
  auto images = readIdxImages(imagesPath);
  auto labels = readIdxLabels(labelsPath);
  if (static_cast<std::int64_t>(labels.size()) != images.count) {
    throw FileError(labelsPath.string(), "holds " + std::to_string(labels.size()) +
                                             " labels, but " + imagesPath.filename().string() +
                                             " holds " + std::to_string(images.count) + " images");
  }
  return {images.count,     images.planes, images.height, images.width, std::move(images.pixels),
          std::move(labels)};
}

}  // namespace

ImageData loadImageDirectory(const fs::path& directory) {
  if (!fs::is_directory(directory)) {
    throw FileError(directory.string(), "there is no such directory");
  }
  ImageData data{directory.string(), readDataset(directory, "train"),
                 readDataset(directory, "t10k")};
  if (data.training.sampleShape() != data.test.sampleShape()) {
    throw FileError(directory.string(),
                    "the training images are " + data.training.sampleShape().toString() +
                        ", the test images " + data.test.sampleShape().toString());
  }
  return data;
}

fs::path fashionMnistDirectory() { return "/usr/share/datasets/fashion-mnist"; }

ImageData loadFashionMnist(const fs::path& directory) {
  if (!fs::is_directory(directory)) {
    throw FileError(directory.string(),
                    "the Fashion-MNIST images are not here; install them with `apt-get install "
                    "dataset-fashion-mnist` or name another directory with --data-dir");
  }
  auto data = loadImageDirectory(directory);
  data.name = "fashion-mnist";
  return data;
}

}  // namespace torchette::data

// MNIST-like directories.
#include <doctest/doctest.h>

#include "examples/data/dataset.h"
#include "runtime/errors.h"
#include "tests/examples/idx_files.h"
#include "tests/examples/temporary_directory.h"
#include "tests/support/check_throws.h"

namespace torchette::data {

using testing::checkThrows;
using testing::gzipped;
using testing::idxBytes;
using testing::readFile;
using testing::risingBytes;
using testing::TemporaryDirectory;
using testing::writeFile;
using testing::writeImageDirectory;

namespace fs = std::filesystem;

TEST_CASE("a directory gives training and test images with their labels") {
  const TemporaryDirectory directory;
  writeImageDirectory(directory.path());
  const auto data = loadImageDirectory(directory.path());
  CHECK(data.name == directory.path().string());
  CHECK(data.training.count == 3);
  CHECK(data.training.sampleShape() == Shape{1, 4, 5});
  CHECK(data.training.labels == std::vector<std::uint8_t>{1, 0, 2});
  CHECK(data.training.pixels[59] == 59);
  CHECK(data.test.count == 2);
  CHECK(data.test.labels == std::vector<std::uint8_t>{1, 2});
}

TEST_CASE("file names with a dot and gzipped files are found") {
  const TemporaryDirectory directory;
  writeImageDirectory(directory.path());
  fs::rename(directory / "train-images-idx3-ubyte", directory / "train-images.idx3-ubyte");
  writeFile(directory / "t10k-labels-idx1-ubyte.gz",
            gzipped(readFile(directory / "t10k-labels-idx1-ubyte")));
  fs::remove(directory / "t10k-labels-idx1-ubyte");
  const auto data = loadImageDirectory(directory.path());
  CHECK(data.training.count == 3);
  CHECK(data.test.labels == std::vector<std::uint8_t>{1, 2});
}

TEST_CASE("a missing directory or file is named") {
  const TemporaryDirectory directory;
  checkThrows<FileError>([&] { loadImageDirectory(directory / "absent"); },
                         {"absent", "no such directory"});
  writeImageDirectory(directory.path());
  fs::remove(directory / "t10k-labels-idx1-ubyte");
  checkThrows<FileError>([&] { loadImageDirectory(directory.path()); },
                         {directory.path().string(), "t10k-labels-idx1-ubyte", ".gz"});
}

TEST_CASE("as many labels as images are needed") {
  const TemporaryDirectory directory;
  writeImageDirectory(directory.path());
  writeFile(directory / "train-labels-idx1-ubyte", idxBytes({2}, "\1\2"));
  checkThrows<FileError>([&] { loadImageDirectory(directory.path()); },
                         {"2 labels", "3 images", "train-images-idx3-ubyte"});
}

TEST_CASE("training and test images have one size") {
  const TemporaryDirectory directory;
  writeImageDirectory(directory.path());
  writeFile(directory / "t10k-images-idx3-ubyte", idxBytes({2, 5, 4}, risingBytes(40)));
  checkThrows<FileError>([&] { loadImageDirectory(directory.path()); }, {"1x4x5", "1x5x4"});
}

TEST_CASE("missing Fashion-MNIST images come with the way to get them") {
  const TemporaryDirectory directory;
  checkThrows<FileError>([&] { loadFashionMnist(directory / "absent"); },
                         {"apt-get install dataset-fashion-mnist", "--data-dir"});
}

TEST_CASE("Fashion-MNIST has 70000 images in 10 classes" *
          doctest::skip(!fs::exists(fashionMnistDirectory()))) {
  const auto data = loadFashionMnist();
  CHECK(data.name == "fashion-mnist");
  CHECK(data.training.count == 60000);
  CHECK(data.test.count == 10000);
  CHECK(data.training.sampleShape() == Shape{1, 28, 28});
  CHECK(data.training.largestLabel() == 9);
}

}  // namespace torchette::data

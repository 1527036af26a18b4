// The sheet of inputs and reconstructions.
#include "examples/training/samples.h"

#include <doctest/doctest.h>
#include <png.h>

#include "runtime/errors.h"
#include "tests/examples/small_run.h"
#include "tests/examples/temporary_directory.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_backend.h"

namespace torchette::training {

using testing::checkThrows;
using testing::smallAutoencoder;
using testing::smallOptions;
using testing::SmallRun;
using testing::TemporaryDirectory;

namespace {

struct Picture {
  std::int64_t width = 0;
  std::int64_t height = 0;
  bool isColour = false;
  std::vector<std::uint8_t> bytes;
};

Picture readPng(const std::filesystem::path& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&image, path.c_str()) != 0);
  Picture picture{image.width, image.height, (image.format & PNG_FORMAT_FLAG_COLOR) != 0, {}};
  image.format = picture.isColour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  picture.bytes.resize(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, picture.bytes.data(), 0, nullptr) != 0);
  return picture;
}

/// A run on images of `shape` with `testImages` test images.
SmallRun runOn(const Shape& shape, std::int64_t testImages, const std::string& model) {
  return SmallRun(testing::cpuBackend(), testing::ledger(), model, smallOptions("adam"),
                  data::syntheticData(8, testImages, shape, 3, 1));
}

}  // namespace

TEST_CASE("a sample sheet shows rows of 16 inputs above their reconstructions") {
  const TemporaryDirectory directory;
  auto run = runOn({1, 8, 8}, 40, std::string("nn.Dropout(0.5); ") + smallAutoencoder);
  writeSampleSheet(run.trainer, directory / "sheet.png");
  const auto picture = readPng(directory / "sheet.png");
  CHECK(picture.width == 16 * 8);
  CHECK(picture.height == 4 * 8);
  CHECK(!picture.isColour);
  run.model.network->evaluate();
  data::Batches batches(run.images.test, testing::hostAllocator(), 40);
  batches.load(0);
  const auto output = run.model.network->forward(batches.images()).tensor().values<float>();
  for (const std::size_t image : {0u, 5u, 31u}) {
    const auto row = 16 * (image / 16), column = 8 * (image % 16);
    CAPTURE(image);
    const auto at = [&](std::size_t y, std::size_t x) {
      return picture.bytes[(row + y) * 128 + column + x];
    };
    for (std::size_t pixel = 0; pixel < 64; ++pixel) {
      CHECK(at(pixel / 8, pixel % 8) == run.images.test.pixels[image * 64 + pixel]);
      const double expected = 255.0 * double(output[image * 64 + pixel]);
      CHECK(std::abs(at(8 + pixel / 8, pixel % 8) - expected) <= 0.51);
    }
  }
}

TEST_CASE("colour images give a colour sheet as wide as there are images") {
  const TemporaryDirectory directory;
  auto run = runOn({3, 4, 6}, 2, "nn.SpatialConvolution(3,3,1,1); nn.Sigmoid()");
  writeSampleSheet(run.trainer, directory / "sheet.png");
  const auto picture = readPng(directory / "sheet.png");
  CHECK(picture.width == 2 * 6);
  CHECK(picture.height == 2 * 4);
  CHECK(picture.isColour);
  const auto& pixels = run.images.test.pixels;
  for (std::size_t plane = 0; plane < 3; ++plane) {
    CHECK(picture.bytes[3 * (12 + 6 + 2) + plane] == pixels[72 + plane * 24 + 6 + 2]);
  }
}

TEST_CASE("a classifier has no samples") {
  const TemporaryDirectory directory;
  auto run = runOn({1, 8, 8}, 2, testing::smallClassifier);
  checkThrows<StateError>([&] { writeSampleSheet(run.trainer, directory / "sheet.png"); },
                          {"classifier", "autoencoders"});
  CHECK(directory.fileCount() == 0);
}

TEST_CASE("images of two planes make no picture") {
  auto run = runOn({2, 8, 8}, 2, "nn.SpatialConvolution(2,2,1,1)");
  checkThrows<ShapeError>([&] { requireSampleSheetPossible(run.trainer); }, {"1", "3", "2"});
}

}  // namespace torchette::training

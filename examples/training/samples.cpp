// Images side by side in one picture.
#include "examples/training/samples.h"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "examples/training/atomic_file.h"
#include "runtime/errors.h"

namespace torchette::training {

namespace {

constexpr std::int64_t columns = 16;

/// A picture of bytes, height x width x planes as PNG wants them.
struct Picture {
  std::int64_t height, width, planes;
  std::vector<std::uint8_t> bytes;
};

std::uint8_t byteOf(float value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 1.0f) * 255));
}

/// Puts image number `image` of `images` (batch x planes x height x width, as `shape` says) into
/// the cell at `row` and `column`.
void paste(Picture& picture, const Shape& shape, const std::vector<float>& images,
           std::int64_t image, std::int64_t row, std::int64_t column) {
  const auto planes = shape[1], height = shape[2], width = shape[3];
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const auto from = ((image * planes + plane) * height + y) * width + x;
        const auto to = ((row * height + y) * picture.width + column * width + x) * planes + plane;
        picture.bytes[static_cast<std::size_t>(to)] =
            byteOf(images[static_cast<std::size_t>(from)]);
      }
    }
  }
}

/// Rows of inputs alternate with rows of their reconstructions.
Picture sheetOf(const ReconstructedImages& images) {
  const auto& shape = images.shape;
  const auto count = shape[0], planes = shape[1];
  const auto rows = 2 * ((count + columns - 1) / columns);
  Picture sheet{rows * shape[2], std::min(count, columns) * shape[3], planes, {}};
  sheet.bytes.resize(static_cast<std::size_t>(sheet.height * sheet.width * planes));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto row = 2 * (i / columns), column = i % columns;
    paste(sheet, shape, images.inputs, i, row, column);
    paste(sheet, shape, images.outputs, i, row + 1, column);
  }
  return sheet;
}

/// The picture as a PNG file.
std::string encoded(const Picture& picture, const std::string& place) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = picture.planes == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  std::string content(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t bytes = content.size();
  if (png_image_write_to_memory(&image, content.data(), &bytes, 0, picture.bytes.data(), 0,
                                nullptr) == 0) {
    throw FileError(place, std::string("the picture cannot be encoded: ") + image.message);
  }
  content.resize(bytes);
  return content;
}

}  // namespace

void requireSampleSheetPossible(const Trainer& trainer) {
  if (trainer.objective() != nn::Objective::reconstruction) {
    throw StateError("samples",
                     "a classifier reconstructs no images; samples are for autoencoders");
  }
  const auto planes = trainer.images().test.planes;
  if (planes != 1 && planes != 3) {
    throw ShapeError("samples", "a picture has 1 (grey) or 3 (colour) planes, the images have " +
                                    std::to_string(planes));
  }
}

ReconstructedImages reconstructSamples(const Trainer& trainer) {
  requireSampleSheetPossible(trainer);
  const auto& images = trainer.images().test;
  data::Batches batches(images, trainer.network().parameters().values.front()->allocator(),
                        std::min(images.count, mostSampleImages));
  batches.load(0);
  trainer.network().evaluate();
  const auto outputs = trainer.network().forward(batches.images()).tensor();
  return {batches.images().shape(), batches.images().values<float>(), outputs.values<float>()};
}

void writeSampleSheet(const Trainer& trainer, const std::filesystem::path& path) {
  replaceFile(path, encoded(sheetOf(reconstructSamples(trainer)), path.string()));
}

}  // namespace torchette::training

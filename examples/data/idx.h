// Reader of IDX files, the format of MNIST and Fashion-MNIST; gzipped or not.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace torchette::data {

/// Pixels in row-major order: count x planes x height x width.
struct IdxImages {
  std::int64_t count = 0;
  std::int64_t planes = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::vector<std::uint8_t> pixels;
};

/// Reads a file of rank 3 (count x height x width, one plane) or 4 (with planes). Throws FileError
/// if it is missing, no IDX file of bytes, truncated, damaged or followed by other bytes.
IdxImages readIdxImages(const std::filesystem::path& path);

/// Reads a file of rank 1: one class number per image. Throws FileError like readIdxImages.
std::vector<std::uint8_t> readIdxLabels(const std::filesystem::path& path);

}  // namespace torchette::data

// The bytes of IDX files, for tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace torchette::testing {

/// Two zero bytes, type 8, the rank, the extents (big-endian), the elements.
std::string idxBytes(const std::vector<std::uint32_t>& extents, std::string_view elements);

/// `content` as gzip compresses it.
std::string gzipped(const std::string& content);

/// `count` bytes 0, 1, 2, ..., 255, 0, ...
std::string risingBytes(std::size_t count);

/// The four files of an MNIST-like directory: 3 training and 2 test images of 4 x 5 pixels.
void writeImageDirectory(const std::filesystem::path& directory);

}  // namespace torchette::testing

// Writing IDX.
#include "tests/examples/idx_files.h"

#include <zlib.h>

#include <stdexcept>

#include "tests/examples/temporary_directory.h"

namespace torchette::testing {

std::string idxBytes(const std::vector<std::uint32_t>& extents, std::string_view elements) {
  std::string bytes{0, 0, 8, static_cast<char>(extents.size())};
  for (const auto extent : extents) {
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(extent >> shift & 0xff);
  }
  return bytes.append(elements);
}

std::string gzipped(const std::string& content) {
  const TemporaryDirectory directory;
  const auto path = (directory / "content.gz").string();
  const gzFile file = gzopen(path.c_str(), "wb");
  const int written = gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  if (gzclose(file) != Z_OK || written != static_cast<int>(content.size())) {
    throw std::runtime_error("cannot compress");
  }
  return readFile(path);
}

std::string risingBytes(std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(i & 0xff);
  return bytes;
}

void writeImageDirectory(const std::filesystem::path& directory) {
  using namespace std::string_view_literals;
  writeFile(directory / "train-images-idx3-ubyte", idxBytes({3, 4, 5}, risingBytes(60)));
  writeFile(directory / "train-labels-idx1-ubyte", idxBytes({3}, "\1\0\2"sv));
  writeFile(directory / "t10k-images-idx3-ubyte", idxBytes({2, 4, 5}, risingBytes(40)));
  writeFile(directory / "t10k-labels-idx1-ubyte", idxBytes({2}, "\1\2"sv));
}

}  // namespace torchette::testing

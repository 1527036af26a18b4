// IDX: two zero bytes, the element type, the rank, big-endian extents, then the elements.
#include "examples/data/idx.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "runtime/errors.h"

namespace torchette::data {

namespace {

constexpr std::uint8_t unsignedByteType = 0x08;

/// Reads a file that is gzipped or plain, and speaks of it in messages.
class IdxFile {
 public:
  explicit IdxFile(const std::filesystem::path& path) : path_(path.string()) {
    if (!std::filesystem::exists(path)) fail("there is no such file");
    if (!std::filesystem::is_regular_file(path)) fail("this is not a file");
    file_.reset(gzopen(path_.c_str(), "rb"));
    if (!file_) fail("the file cannot be opened for reading");
    gzbuffer(file_.get(), 1 << 17);
  }

  /// The extents, whose number is in `ranks`.
  std::vector<std::uint32_t> readHeader(const std::vector<int>& ranks, const std::string& content) {
    const auto magic = readExactly(4, "the 4 bytes that begin an IDX file");
    if (magic[0] != 0 || magic[1] != 0) fail("this is not an IDX file; it must begin with 0 0");
    if (magic[2] != unsignedByteType) {
      fail("the elements have type " + std::to_string(magic[2]) +
           "; only unsigned bytes (type 8) are read");
    }
    if (std::ranges::find(ranks, magic[3]) == ranks.end()) {
      fail("the file has " + std::to_string(magic[3]) + " dimensions, " + content + " have " +
           std::to_string(ranks.front()));
    }
    return readExtents(magic[3]);
  }

  /// As many bytes as the extents say; then the file must end.
  std::vector<std::uint8_t> readElements(const std::vector<std::uint32_t>& extents) {
    std::string shape;
    std::uint64_t bytes = 1;
    bool fits = true;
    for (const auto extent : extents) {
      shape += (shape.empty() ? "" : "x") + std::to_string(extent);
      fits = fits && !__builtin_mul_overflow(bytes, std::uint64_t{extent}, &bytes);
    }
    if (!fits) fail("the header says " + shape + " elements, more than any file can hold");
    auto elements = readExactly(bytes, shape + " elements, as the header says");
    requireEnd();
    return elements;
  }

  [[noreturn]] void fail(const std::string& message) const { throw FileError(path_, message); }

 private:
  struct Close {
    void operator()(gzFile file) const { gzclose(file); }
  };

  std::vector<std::uint32_t> readExtents(int rank) {
    const auto bytes = readExactly(4 * static_cast<std::uint64_t>(rank), "the extents");
    std::vector<std::uint32_t> extents;
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
      extents.push_back(std::uint32_t{bytes[i]} << 24 | std::uint32_t{bytes[i + 1]} << 16 |
                        std::uint32_t{bytes[i + 2]} << 8 | bytes[i + 3]);
    }
    return extents;
  }

  /// Memory grows with what the file really holds, whatever its header promises.
  std::vector<std::uint8_t> readExactly(std::uint64_t bytes, const std::string& what) {
    constexpr std::uint64_t chunk = 1 << 20;
    std::vector<std::uint8_t> content;
    while (content.size() < bytes) {
      const auto have = content.size();
      const auto wanted = static_cast<unsigned>(std::min(chunk, bytes - have));
      content.resize(have + wanted);
      const int got = gzread(file_.get(), content.data() + have, wanted);
      if (got < 0) failDamaged();
      content.resize(have + static_cast<std::size_t>(got));
      if (got == 0) {
        fail("the file is truncated: expected " + std::to_string(bytes) + " bytes (" + what +
             "), got " + std::to_string(have));
      }
    }
    return content;
  }

  /// Reading on also makes zlib compare its checksum.
  void requireEnd() {
    std::array<char, 1> next{};
    const int got = gzread(file_.get(), next.data(), 1);
    int status = Z_OK;
    gzerror(file_.get(), &status);
    if (got < 0 || status == Z_BUF_ERROR) failDamaged();
    if (got > 0) fail("the file is longer than its header says");
  }

  [[noreturn]] void failDamaged() const {
    int status = Z_OK;
    fail(std::string("the file is damaged: ") + gzerror(file_.get(), &status));
  }

  std::string path_;
  std::unique_ptr<std::remove_pointer_t<gzFile>, Close> file_;
};

}  // namespace

IdxImages readIdxImages(const std::filesystem::path& path) {
  IdxFile file(path);
  auto extents = file.readHeader({3, 4}, "images");
  if (std::ranges::count(extents, 0u) > 0) file.fail("the file holds no pixels");
  auto pixels = file.readElements(extents);
  if (extents.size() == 3) extents.insert(extents.begin() + 1, 1);
  return {extents[0], extents[1], extents[2], extents[3], std::move(pixels)};
}

std::vector<std::uint8_t> readIdxLabels(const std::filesystem::path& path) {
  IdxFile file(path);
  return file.readElements(file.readHeader({1}, "labels"));
}

}  // namespace torchette::data

// The IDX reader: what it reads and how it refuses broken files.
#include "examples/data/idx.h"

#include <doctest/doctest.h>

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

namespace {

/// Checks that a file of this content is refused with a FileError that names it.
void checkRefused(const std::string& content, std::vector<std::string> words) {
  const TemporaryDirectory directory;
  writeFile(directory / "broken", content);
  words.push_back((directory / "broken").string());
  checkThrows<FileError>([&] { readIdxImages(directory / "broken"); }, words);
}

}  // namespace

TEST_CASE("an image file is read plain and gzipped") {
  const TemporaryDirectory directory;
  const auto content = idxBytes({2, 3, 4}, risingBytes(24));
  writeFile(directory / "plain", content);
  writeFile(directory / "compressed", gzipped(content));
  for (const char* name : {"plain", "compressed"}) {
    CAPTURE(name);
    const auto images = readIdxImages(directory / name);
    CHECK(images.count == 2);
    CHECK(images.planes == 1);
    CHECK(images.height == 3);
    CHECK(images.width == 4);
    const auto expected = risingBytes(24);
    CHECK(images.pixels == std::vector<std::uint8_t>(expected.begin(), expected.end()));
  }
}

TEST_CASE("an image file of rank 4 has planes") {
  const TemporaryDirectory directory;
  writeFile(directory / "colour", idxBytes({2, 3, 4, 5}, risingBytes(120)));
  const auto images = readIdxImages(directory / "colour");
  CHECK(images.count == 2);
  CHECK(images.planes == 3);
  CHECK(images.height == 4);
  CHECK(images.width == 5);
}

TEST_CASE("a label file is read") {
  const TemporaryDirectory directory;
  writeFile(directory / "labels", idxBytes({3}, "\7\1\11"));
  CHECK(readIdxLabels(directory / "labels") == std::vector<std::uint8_t>{7, 1, 9});
}

TEST_CASE("a file larger than one read is read whole") {
  const TemporaryDirectory directory;
  const auto pixels = risingBytes(3 * 1000 * 1000);
  writeFile(directory / "large", gzipped(idxBytes({3, 1000, 1000}, pixels)));
  const auto images = readIdxImages(directory / "large");
  CHECK(std::string(images.pixels.begin(), images.pixels.end()) == pixels);
}

TEST_CASE("a missing file and a directory are refused") {
  const TemporaryDirectory directory;
  checkThrows<FileError>([&] { readIdxImages(directory / "absent"); }, {"absent", "no such file"});
  checkThrows<FileError>([&] { readIdxImages(directory.path()); }, {"not a file"});
}

TEST_CASE("a file of another kind is refused") {
  checkRefused("PNG, say", {"not an IDX file"});
  checkRefused(std::string{0, 0, 13, 3} + risingBytes(20), {"type 13", "type 8"});
  checkRefused(idxBytes({3}, "123"), {"1 dimensions", "images have 3"});
}

TEST_CASE("images are no labels") {
  const TemporaryDirectory directory;
  writeFile(directory / "images", idxBytes({1, 1, 1}, "x"));
  checkThrows<FileError>([&] { readIdxLabels(directory / "images"); },
                         {"3 dimensions", "labels have 1"});
}

TEST_CASE("a truncated file says what was expected and what came") {
  const auto content = idxBytes({2, 3, 4}, risingBytes(24));
  checkRefused(content.substr(0, 30), {"truncated", "expected 24", "2x3x4", "got 14"});
  checkRefused("", {"truncated", "expected 4", "got 0"});
  for (std::size_t length = 0; length < content.size(); ++length) {
    checkRefused(content.substr(0, length), {"truncated"});
  }
}

TEST_CASE("a truncated gzip file is refused wherever it ends") {
  const auto content = gzipped(idxBytes({2, 3, 4}, risingBytes(24)));
  for (std::size_t length = 3; length < content.size(); ++length) {
    CAPTURE(length);
    checkRefused(content.substr(0, length), {});
  }
}

TEST_CASE("a gzip file with a wrong checksum is refused in the words of zlib") {
  auto content = gzipped(idxBytes({2, 3, 4}, risingBytes(24)));
  content[content.size() - 8] = static_cast<char>(content[content.size() - 8] ^ 1);
  checkRefused(content, {"damaged", "incorrect data check"});
}

TEST_CASE("a gzip file with a changed byte is refused or read right") {
  const auto intact = idxBytes({2, 3, 4}, risingBytes(24));
  const auto content = gzipped(intact);
  const TemporaryDirectory directory;
  for (std::size_t i = 0; i < content.size(); ++i) {
    CAPTURE(i);
    auto changed = content;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    writeFile(directory / "changed", changed);
    try {
      const auto pixels = readIdxImages(directory / "changed").pixels;
      CHECK(std::string(pixels.begin(), pixels.end()) == risingBytes(24));
    } catch (const FileError&) {
      CHECK(i != 4);  // the first byte of the time stamp, which does not matter
    }
  }
}

TEST_CASE("bytes after the end are refused") {
  checkRefused(idxBytes({1, 1, 2}, "abc"), {"longer"});
  checkRefused(gzipped(idxBytes({1, 1, 2}, "abc")), {"longer"});
}

TEST_CASE("a header that promises more than there is costs no memory") {
  checkRefused(idxBytes({4000000000, 28, 28}, "few"), {"truncated", "3136000000000", "got 3"});
  checkRefused(idxBytes({4294967295, 4294967295, 4294967295}, ""), {"more than any file"});
}

TEST_CASE("images without pixels are refused") {
  checkRefused(idxBytes({0, 28, 28}, ""), {"no pixels"});
  checkRefused(idxBytes({2, 0, 28}, ""), {"no pixels"});
}

}  // namespace torchette::data

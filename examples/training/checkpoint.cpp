// The file of a checkpoint: a line with the format's number, 8 bytes with the length of the rest, 4
// bytes with its CRC-32 (both little-endian), and the document as CBOR.
#include "examples/training/checkpoint.h"

#include <zlib.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "examples/training/atomic_file.h"
#include "examples/training/checkpoint_document.h"
#include "runtime/errors.h"

namespace torchette::training {

namespace {

constexpr std::string_view magic = "torchette checkpoint ";
constexpr std::string_view format = "1";
constexpr std::size_t lengthBytes = 8, checksumBytes = 4;

std::string littleEndian(std::uint64_t number, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(number >> 8 * i & 0xff);
  return text;
}

std::uint64_t numberFrom(std::string_view littleEndianBytes) {
  std::uint64_t number = 0;
  for (std::size_t i = littleEndianBytes.size(); i-- > 0;) {
    number = number << 8 | static_cast<std::uint8_t>(littleEndianBytes[i]);
  }
  return number;
}

std::uint64_t checksumOf(std::string_view body) {
  return crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
}

std::string contentOf(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) throw FileError(path.string(), "there is no such file");
  if (!std::filesystem::is_regular_file(path)) throw FileError(path.string(), "this is not a file");
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw FileError(path.string(), "the file cannot be read");
  return content;
}

/// Takes the first `bytes` bytes off `rest`.
std::string_view take(std::string_view& rest, std::size_t bytes, const std::string& place) {
  if (rest.size() < bytes) {
    throw FileError(place, "the checkpoint is truncated: expected " + std::to_string(bytes) +
                               " more bytes, got " + std::to_string(rest.size()));
  }
  const auto taken = rest.substr(0, bytes);
  rest.remove_prefix(bytes);
  return taken;
}

void takeFormat(std::string_view& rest, const std::string& place) {
  if (!magic.starts_with(rest.substr(0, magic.size()))) {
    throw FileError(place, "this is not a torchette checkpoint");
  }
  take(rest, magic.size(), place);
  const auto found = rest.substr(0, rest.find('\n'));
  take(rest, found.size() + 1, place);
  if (found != format) {
    throw FileError(place, "the checkpoint has format " + std::string(found.substr(0, 20)) +
                               ", this program reads format " + std::string(format) +
                               "; use the version of torchette that wrote it");
  }
}

/// The CBOR bytes of a checkpoint file.
std::string_view bodyOf(std::string_view content, const std::string& place) {
  takeFormat(content, place);
  const auto length = numberFrom(take(content, lengthBytes, place));
  const auto checksum = numberFrom(take(content, checksumBytes, place));
  const auto body = take(content, length, place);
  if (!content.empty()) throw FileError(place, "the checkpoint is followed by other bytes");
  if (checksumOf(body) != checksum) {
    throw FileError(place, "the checkpoint is damaged: its checksum does not match");
  }
  return body;
}

}  // namespace

void writeCheckpoint(const Checkpoint& checkpoint, const std::filesystem::path& path) {
  std::string body;
  nlohmann::ordered_json::to_cbor(toDocument(checkpoint), body);
  std::string content = std::string(magic) + std::string(format) + "\n";
  content += littleEndian(body.size(), lengthBytes);
  content += littleEndian(checksumOf(body), checksumBytes);
  replaceFile(path, content + body);
}

Checkpoint readCheckpoint(const std::filesystem::path& path) {
  const auto content = contentOf(path);
  const auto body = bodyOf(content, path.string());
  try {
    return checkpointFrom(nlohmann::ordered_json::from_cbor(body.begin(), body.end()));
  } catch (const nlohmann::json::exception& error) {
    throw FileError(path.string(), std::string("the checkpoint is damaged: ") + error.what());
  } catch (const ShapeError& error) {
    throw FileError(path.string(), std::string("the checkpoint is damaged: ") + error.what());
  }
}

}  // namespace torchette::training

// The GPU code in this program, which it got from torchette's library.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace torchette::testing {

namespace {

// nvcc packs the code for all architectures into fat binaries, each a header and entries, each
// entry a header and code. `cuobjdump --list-elf --list-ptx` lists the same entries.
struct FatHeader {
  static constexpr std::uint32_t expectedMagic = 0xBA55ED50;
  std::uint32_t magic;
  std::uint16_t version, headerBytes;
  std::uint64_t entriesBytes;
};
struct EntryHeader {
  enum Kind : std::uint16_t { intermediate = 1, machine = 2 };
  std::uint16_t kind, flags;
  std::uint32_t headerBytes;
  std::uint64_t codeBytes;
  std::uint32_t compressedBytes, optionsOffset;
  std::uint16_t minorVersion, majorVersion;
  std::uint32_t architecture;
};

/// Architectures by kind of code, e.g. 80.
struct DeviceCode {
  std::set<std::uint32_t> intermediate, machine;
};

std::string programFile() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Header>
Header headerAt(const std::string& file, std::size_t position) {
  Header header{};
  if (position + sizeof(header) <= file.size()) {
    std::memcpy(&header, file.data() + position, sizeof(header));
  }
  return header;
}

void addEntries(const std::string& file, std::size_t begin, std::size_t end, DeviceCode& found) {
  for (std::size_t position = begin; position < end;) {
    const auto entry = headerAt<EntryHeader>(file, position);
    if (entry.headerBytes == 0) return;
    if (entry.kind == EntryHeader::machine) found.machine.insert(entry.architecture);
    if (entry.kind == EntryHeader::intermediate) found.intermediate.insert(entry.architecture);
    position += entry.headerBytes + entry.codeBytes;
  }
}

DeviceCode deviceCodeIn(const std::string& file) {
  DeviceCode found;
  for (std::size_t position = 0; position < file.size(); position += alignof(FatHeader)) {
    const auto header = headerAt<FatHeader>(file, position);
    if (header.magic != FatHeader::expectedMagic || header.headerBytes != sizeof(header)) continue;
    const auto entries = position + header.headerBytes;
    addEntries(file, entries, entries + header.entriesBytes, found);
  }
  return found;
}

}  // namespace

TEST_CASE("the library holds code for compute capability 8 and 9 and for newer GPUs") {
  const auto code = deviceCodeIn(programFile());
  CHECK(code.machine == std::set<std::uint32_t>{80, 90});
  CHECK(code.intermediate == std::set<std::uint32_t>{90});
}

}  // namespace torchette::testing

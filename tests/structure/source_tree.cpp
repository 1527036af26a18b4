// Reading the source tree from disk.
#include "tests/structure/source_tree.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

namespace torchette::structure {

namespace {

constexpr std::array<const char*, 6> codeFolders{"runtime",  "backends", "layers",
                                                 "examples", "tests",    "bench"};

bool isSource(const std::filesystem::path& path) {
  constexpr std::array<const char*, 4> extensions{".h", ".cpp", ".cuh", ".cu"};
  return std::ranges::find(extensions, path.extension().string()) != extensions.end();
}

std::vector<std::string> linesOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string topFolderOf(const std::string& path) {
  const auto slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::vector<SourceFile> readSourceTree(const std::filesystem::path& root) {
  std::vector<SourceFile> files;
  for (const char* folder : codeFolders) {
    if (!std::filesystem::is_directory(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || !isSource(entry.path())) continue;
      const auto path = entry.path().lexically_relative(root).generic_string();
      files.push_back({path, linesOf(entry.path())});
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

const std::vector<SourceFile>& projectTree() {
  static const auto files = readSourceTree(TORCHETTE_SOURCE_DIRECTORY);
  return files;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + '\n';
  return text;
}

}  // namespace torchette::structure

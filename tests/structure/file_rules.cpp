// The rules on single files as code.
#include "tests/structure/file_rules.h"

#include <algorithm>
#include <cctype>

namespace torchette::structure {

namespace {

constexpr std::size_t mostLines = 450;

/// What ctest would split at, or doctest take for a pattern.
constexpr const char* unusableCharacters = ",\"'[];\\*?";

/// Whether the first line includes the file's own header, which says the purpose of both.
bool beginsWithOwnHeader(const SourceFile& file) {
  const auto stem = file.path.substr(0, file.path.rfind('.'));
  return !file.lines.empty() && file.lines.front() == "#include \"" + stem + ".h\"";
}

bool saysItsPurpose(const SourceFile& file) {
  if (file.lines.empty()) return false;
  const auto& first = file.lines.front();
  return (first.starts_with("//") || first.starts_with("/*")) &&
         std::ranges::any_of(first, [](unsigned char c) { return std::isalpha(c) != 0; });
}

/// The name of the test case that begins on a line, as it is written in the source; "" if none
/// does. The name may stand on the line below.
std::string testNameAt(const SourceFile& file, std::size_t line) {
  auto text = file.lines[line];
  if (!text.starts_with("TEST_CASE")) return "";
  if (line + 1 < file.lines.size()) text += file.lines[line + 1];
  if (text.find('"') == std::string::npos) return "";
  const auto begin = text.find('"') + 1;
  auto end = text.find('"', begin);
  while (end != std::string::npos && text[end - 1] == '\\') end = text.find('"', end + 1);
  return text.substr(begin, end - begin);
}

}  // namespace

std::vector<std::string> filesWithoutPurpose(const std::vector<SourceFile>& files) {
  std::vector<std::string> found;
  for (const auto& file : files) {
    if (!saysItsPurpose(file) && !beginsWithOwnHeader(file)) found.push_back(file.path);
  }
  return found;
}

std::vector<std::string> filesTooLong(const std::vector<SourceFile>& files) {
  std::vector<std::string> found;
  for (const auto& file : files) {
    if (topFolderOf(file.path) == "tests" || file.lines.size() <= mostLines) continue;
    found.push_back(file.path + " has " + std::to_string(file.lines.size()) + " lines");
  }
  return found;
}

std::vector<std::string> unusableTestNames(const std::vector<SourceFile>& files) {
  std::vector<std::string> found;
  for (const auto& file : files) {
    if (topFolderOf(file.path) != "tests") continue;
    for (std::size_t line = 0; line < file.lines.size(); ++line) {
      const auto name = testNameAt(file, line);
      if (name.find_first_of(unusableCharacters) == std::string::npos) continue;
      found.push_back(file.path + ": " + name);
    }
  }
  return found;
}

}  // namespace torchette::structure

// A directory for the files of one test case, removed at its end.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace torchette::testing {

class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  std::size_t fileCount() const;

 private:
  std::filesystem::path path_;
};

void writeFile(const std::filesystem::path& path, std::string_view content);
/// Throws std::runtime_error if it cannot be read.
std::string readFile(const std::filesystem::path& path);

}  // namespace torchette::testing

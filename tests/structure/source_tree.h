// The project's source files as text, for tests of how they are put together.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchette::structure {

struct SourceFile {
  std::string path;  ///< from the project's folder on, with slashes, e.g. "runtime/shape.h"
  std::vector<std::string> lines;
};

/// Everything up to the first slash: "backends" of "backends/cpu/lanes.h"; "" if there is none.
std::string topFolderOf(const std::string& path);

/// All .h, .cpp, .cuh and .cu files below the folders of code of `root`, ordered by path. Folders
/// that do not exist are left out.
std::vector<SourceFile> readSourceTree(const std::filesystem::path& root);

/// The source tree of this project.
const std::vector<SourceFile>& projectTree();

/// Lines joined by newlines, so that one assertion shows them all.
std::string joined(const std::vector<std::string>& lines);

}  // namespace torchette::structure

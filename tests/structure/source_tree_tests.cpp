// Reading a source tree, tried on a small one.
#include "tests/structure/source_tree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <random>

namespace torchette::structure {

namespace {

/// A new folder that is removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("torchette_structure_" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("the source files below the folders of code are found with their lines") {
  const TemporaryFolder folder;
  folder.write("runtime/shape.h", "// Shape.\n\nint x;\n");
  folder.write("backends/cuda/kernels.cu", "// Kernels.");
  folder.write("runtime/notes.txt", "no source");
  folder.write("build/generated.cpp", "no folder of code");
  const auto files = readSourceTree(folder.path());
  REQUIRE(files.size() == 2);
  CHECK(files[0].path == "backends/cuda/kernels.cu");
  CHECK(files[1].path == "runtime/shape.h");
  CHECK(files[1].lines == std::vector<std::string>{"// Shape.", "", "int x;"});
}

TEST_CASE("the tree of this project has files in every layer of the code") {
  for (const char* path : {"runtime/tensor.h", "backends/backend.h", "backends/cpu/cpu_backend.h",
                           "tests/structure/source_tree.h"}) {
    CAPTURE(path);
    const auto& files = projectTree();
    CHECK(std::ranges::count(files, std::string(path), &SourceFile::path) == 1);
  }
}

TEST_CASE("the top folder of a path is what comes before the first slash") {
  CHECK(topFolderOf("backends/cpu/lanes.h") == "backends");
  CHECK(topFolderOf("lanes.h").empty());
}

}  // namespace torchette::structure

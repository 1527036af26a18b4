// Files that are replaced as a whole or not at all.
#include "examples/training/atomic_file.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "runtime/errors.h"
#include "tests/examples/temporary_directory.h"
#include "tests/support/check_throws.h"

namespace torchette::training {

using testing::checkThrows;
using testing::readFile;
using testing::TemporaryDirectory;
using testing::writeFile;

namespace {

/// While it lives, no file of this process can grow beyond `bytes`, as if the disk were full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    handlerBefore_ = signal(SIGXFSZ, SIG_IGN);
    const rlimit full{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handlerBefore_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handlerBefore_)(int) = nullptr;
};

}  // namespace

TEST_CASE("a file is made and then replaced and nothing else is left") {
  const TemporaryDirectory directory;
  replaceFile(directory / "file", "one");
  CHECK(readFile(directory / "file") == "one");
  replaceFile(directory / "file", "");
  CHECK(readFile(directory / "file").empty());
  CHECK(directory.fileCount() == 1);
}

TEST_CASE("a file keeps its old content when the disk is full") {
  const TemporaryDirectory directory;
  replaceFile(directory / "file", "old");
  std::string message;
  {
    const FullDisk disk(1000);
    try {
      replaceFile(directory / "file", std::string(2000, 'x'));
    } catch (const FileError& error) {
      message = error.what();
    }
  }
  CHECK(message.find("cannot be written") != std::string::npos);
  CHECK(message.find((directory / "file").string()) != std::string::npos);
  CHECK(readFile(directory / "file") == "old");
  CHECK(directory.fileCount() == 1);
}

TEST_CASE("what an earlier kill left behind does no harm") {
  const TemporaryDirectory directory;
  writeFile(directory / "file.tmp", std::string(5000, 'x'));
  replaceFile(directory / "file", "new");
  CHECK(readFile(directory / "file") == "new");
  CHECK(directory.fileCount() == 1);
}

TEST_CASE("a link stays and the file it points to is replaced") {
  const TemporaryDirectory directory, elsewhere;
  writeFile(elsewhere / "real", "old");
  std::filesystem::create_symlink(elsewhere / "real", directory / "link");
  replaceFile(directory / "link", "new");
  CHECK(std::filesystem::is_symlink(directory / "link"));
  CHECK(readFile(elsewhere / "real") == "new");
}

TEST_CASE("a place where no file can be is refused before and while writing") {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "content");
  REQUIRE(mkfifo((directory / "pipe").c_str(), 0600) == 0);
  for (const auto& path : {directory / "absent/file", directory / "file/below", directory.path(),
                           directory / "pipe"}) {
    CAPTURE(path);
    checkThrows<FileError>([&] { requireReplaceable(path); }, {path.string(), "cannot be written"});
    checkThrows<FileError>([&] { replaceFile(path, "x"); }, {path.string(), "cannot be written"});
  }
  CHECK(std::filesystem::is_fifo(directory / "pipe"));
}

TEST_CASE("a temporary file that cannot be made is reported with the reason") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "file.tmp");
  checkThrows<FileError>([&] { requireReplaceable(directory / "file"); },
                         {"file.tmp", "Is a directory"});
}

TEST_CASE("asking whether a file can be replaced leaves no trace") {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "content");
  requireReplaceable(directory / "file");
  requireReplaceable(directory / "new");
  CHECK(readFile(directory / "file") == "content");
  CHECK(directory.fileCount() == 1);
}

}  // namespace torchette::training

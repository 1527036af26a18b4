// Replacing files with the system's calls, as the standard library knows no fsync.
#include "examples/training/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "runtime/errors.h"

namespace torchette::training {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void failWithErrno(const fs::path& path, const std::string& what) {
  throw FileError(path.string(), what + ": " + std::generic_category().message(errno));
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : number_(::open(path.c_str(), flags, 0666)) {}
  ~Descriptor() {
    if (isOpen()) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool isOpen() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  int number_;
};

/// The file beside its target that takes the target's place once it is complete; removed otherwise.
class Replacement {
 public:
  explicit Replacement(fs::path target)
      : target_(std::move(target)),
        path_(target_.string() + ".tmp"),
        file_(path_, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC) {
    if (!file_.isOpen()) failWithErrno(target_, "cannot be written, " + path_.string());
  }
  ~Replacement() {
    if (!isDone_) ::unlink(path_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void write(std::string_view content) {
    while (!content.empty()) {
      const auto written = ::write(file_.number(), content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) failWithErrno(target_, "cannot be written");
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    if (::fsync(file_.number()) != 0) failWithErrno(target_, "cannot be flushed to the disk");
  }

  void takePlace() {
    if (::rename(path_.c_str(), target_.c_str()) != 0) failWithErrno(target_, "cannot be replaced");
    isDone_ = true;
  }

 private:
  fs::path target_;
  fs::path path_;
  Descriptor file_;
  bool isDone_ = false;
};

fs::path directoryOf(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Makes a rename last. Some file systems cannot flush a directory and say EINVAL.
void flushDirectory(const fs::path& directory) {
  const Descriptor descriptor(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (!descriptor.isOpen() || (::fsync(descriptor.number()) != 0 && errno != EINVAL)) {
    failWithErrno(directory, "the directory cannot be flushed to the disk");
  }
}

/// Where the file really is: a link is kept and what it points to is replaced.
fs::path targetOf(const fs::path& path) {
  auto target = fs::is_symlink(path) ? fs::weakly_canonical(path) : path;
  if (!fs::is_directory(directoryOf(target))) {
    throw FileError(path.string(),
                    "cannot be written: there is no directory " + directoryOf(target).string());
  }
  if (fs::exists(target) && !fs::is_regular_file(target)) {
    throw FileError(path.string(), "cannot be written: this is not a file");
  }
  return target;
}

}  // namespace

void replaceFile(const fs::path& path, std::string_view content) {
  const auto target = targetOf(path);
  Replacement replacement(target);
  replacement.write(content);
  replacement.takePlace();
  flushDirectory(directoryOf(target));
}

void requireReplaceable(const fs::path& path) { const Replacement replacement(targetOf(path)); }

}  // namespace torchette::training

// SharedLibrary: a library that is looked for while the program runs.
#pragma once

#include <string>

namespace torchette::cuda {

/// Loaded while the object lives, if it can be found.
class SharedLibrary {
 public:
  /// `name` is searched where the system searches for libraries, or is a path.
  explicit SharedLibrary(const std::string& name);
  ~SharedLibrary();
  SharedLibrary(SharedLibrary&& other) noexcept;
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  bool isLoaded() const { return handle_ != nullptr; }
  /// Why it is not loaded.
  const std::string& problem() const { return problem_; }

  /// The function of that name, null if there is none. `Function` must be its type.
  template <class Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(address(name));
  }

 private:
  void* address(const char* name) const;

  void* handle_;
  std::string problem_;
};

}  // namespace torchette::cuda

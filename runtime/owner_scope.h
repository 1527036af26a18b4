// OwnerScope: says on whose behalf bytes are allocated from here to the end of the block.
#pragma once

#include <string>
#include <string_view>

namespace torchette {

/// Sets this thread's owner path while it lives. This is the only ambient state in torchette;
/// Storage reads it to tag allocations, and modules take their path from it when they are built.
class OwnerScope {
 public:
  /// `path` is complete, e.g. "net/conv1".
  explicit OwnerScope(std::string path);
  ~OwnerScope();
  OwnerScope(const OwnerScope&) = delete;
  OwnerScope& operator=(const OwnerScope&) = delete;

  /// The path of the innermost scope of this thread; "" outside any.
  static const std::string& current();
  /// current() extended by a name: "net" and "conv1" give "net/conv1".
  static std::string pathOf(std::string_view name);

 private:
  std::string outer_;
};

}  // namespace torchette

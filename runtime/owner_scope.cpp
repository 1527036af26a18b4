// The thread's owner path and its nesting.
#include "runtime/owner_scope.h"

#include <utility>

namespace torchette {

namespace {

thread_local std::string currentPath;

}  // namespace

OwnerScope::OwnerScope(std::string path) : outer_(std::exchange(currentPath, std::move(path))) {}

OwnerScope::~OwnerScope() { currentPath = std::move(outer_); }

const std::string& OwnerScope::current() { return currentPath; }

std::string OwnerScope::pathOf(std::string_view name) {
  return currentPath.empty() ? std::string(name) : currentPath + "/" + std::string(name);
}

}  // namespace torchette

// OwnerScope: nesting, paths and threads.
#include "runtime/owner_scope.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

namespace torchette {

TEST_CASE("outside any scope the owner is empty") { CHECK(OwnerScope::current().empty()); }

TEST_CASE("a scope sets the owner until its block ends") {
  {
    const OwnerScope scope("net/conv1");
    CHECK(OwnerScope::current() == "net/conv1");
  }
  CHECK(OwnerScope::current().empty());
}

TEST_CASE("the innermost scope counts and the outer one comes back") {
  const OwnerScope outer("net");
  {
    const OwnerScope inner("net/branch");
    const OwnerScope innermost("net/branch/conv1");
    CHECK(OwnerScope::current() == "net/branch/conv1");
  }
  CHECK(OwnerScope::current() == "net");
}

TEST_CASE("a scope ends when an exception leaves it") {
  const OwnerScope outer("net");
  try {
    const OwnerScope inner("net/conv1");
    throw std::runtime_error("leave");
  } catch (const std::runtime_error&) {
    CHECK(OwnerScope::current() == "net");
  }
}

TEST_CASE("a path extends the current owner by a name") {
  CHECK(OwnerScope::pathOf("net") == "net");
  const OwnerScope scope("net");
  CHECK(OwnerScope::pathOf("conv1") == "net/conv1");
}

TEST_CASE("each thread has its own owner") {
  const OwnerScope scope("net");
  std::string seen = "not run";
  std::string setThere;
  std::thread([&] {
    seen = OwnerScope::current();
    const OwnerScope there("other");
    setThere = OwnerScope::current();
  }).join();
  CHECK(seen.empty());
  CHECK(setThere == "other");
  CHECK(OwnerScope::current() == "net");
}

}  // namespace torchette

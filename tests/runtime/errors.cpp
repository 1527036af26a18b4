// The error family: one base, and a text that begins with the place.
#include "runtime/errors.h"

#include <doctest/doctest.h>

#include <type_traits>

namespace torchette {

TEST_CASE("an error reads place then message") {
  CHECK(std::string(ShapeError("net/conv1", "too wide").what()) == "net/conv1: too wide");
}

TEST_CASE("an error without a place is its message alone") {
  CHECK(std::string(MemoryError("", "no bytes left").what()) == "no bytes left");
}

TEST_CASE_TEMPLATE("every kind of error can be caught as Error and as std exception", Kind,
                   ShapeError, MemoryError, StateError, ArgumentError, FileError) {
  CHECK_THROWS_AS(throw Kind("here", "why"), Error);
  CHECK(std::is_base_of_v<std::runtime_error, Kind>);
}

TEST_CASE("one kind of error is not caught as another") {
  CHECK_FALSE(std::is_base_of_v<ShapeError, MemoryError>);
  CHECK_FALSE(std::is_base_of_v<MemoryError, StateError>);
}

}  // namespace torchette

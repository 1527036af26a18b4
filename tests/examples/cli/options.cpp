// Reading the values of options.
#include "examples/cli/options.h"

#include <doctest/doctest.h>

#include <cmath>

#include "runtime/errors.h"
#include "tests/support/check_throws.h"

namespace torchette::cli {

using testing::checkThrows;

TEST_CASE("a shape is extents with x between them") {
  CHECK(parseShape("16x3x32x32") == Shape{16, 3, 32, 32});
  CHECK(parseShape("0x4") == Shape{0, 4});
  CHECK(parseShape("7") == Shape{7});
}

TEST_CASE("text that is no shape is refused") {
  for (const char* text :
       {"", "x", "3x", "x3", "3xx4", "3x-1", "3X4", "3x4 ", "a", "99999999999999999999x1"}) {
    CAPTURE(text);
    checkThrows<ArgumentError>([&] { parseShape(text); }, {text, "not a shape", "16x3x32x32"});
  }
}

TEST_CASE("a whole number has to be within its range") {
  CHECK(parseWhole("1", 1) == 1);
  CHECK(parseWhole("1024", 1, 1024) == 1024);
  for (const char* text : {"", "0", "1025", "1.5", "1e2", "two", "3 "}) {
    CAPTURE(text);
    checkThrows<ArgumentError>([&] { parseWhole(text, 1, 1024); },
                               {text, "not a whole number from 1 to 1024"});
  }
  checkThrows<ArgumentError>([] { parseWhole("-1", 0); }, {"not a whole number from 0 on"});
}

TEST_CASE("a seed has 32 bits") {
  CHECK(parseSeed("4294967295") == 4'294'967'295U);
  checkThrows<ArgumentError>([] { parseSeed("4294967296"); }, {"4294967295"});
}

TEST_CASE("a real number has to be finite and accepted") {
  const auto isPositive = [](double number) { return number > 0; };
  CHECK(parseReal("0.05", isPositive, "a number above 0") == 0.05);
  CHECK(parseReal("1e-3", isPositive, "a number above 0") == 1e-3);
  for (const char* text : {"", "0", "-1", "inf", "nan", "1e999", "0.1x"}) {
    CAPTURE(text);
    checkThrows<ArgumentError>([&] { parseReal(text, isPositive, "a number above 0"); },
                               {text, "is not a number above 0"});
  }
}

}  // namespace torchette::cli

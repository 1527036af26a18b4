// Byte counts as people write and read them.
#include "examples/cli/byte_size.h"

#include <doctest/doctest.h>

#include "runtime/errors.h"
#include "tests/support/check_throws.h"

namespace torchette::cli {

using testing::checkThrows;

TEST_CASE("byte counts are read with decimal and binary units") {
  CHECK(parseBytes("0") == 0);
  CHECK(parseBytes("4096") == 4096);
  CHECK(parseBytes("4096B") == 4096);
  CHECK(parseBytes("2KB") == 2'000);
  CHECK(parseBytes("512MB") == 512'000'000);
  CHECK(parseBytes("3GB") == 3'000'000'000);
  CHECK(parseBytes("2KiB") == 2'048);
  CHECK(parseBytes("512MiB") == 536'870'912);
  CHECK(parseBytes("3GiB") == 3'221'225'472);
  CHECK(parseBytes("512mb") == 512'000'000);
}

TEST_CASE("text that is no byte count is refused") {
  for (const char* text : {"", "MB", "-1", "12 MB", "1.5GB", "5XB", "0x10", "5MBs"}) {
    CAPTURE(text);
    checkThrows<ArgumentError>([&] { parseBytes(text); }, {text, "not a byte count", "512MB"});
  }
}

TEST_CASE("byte counts beyond 63 bits are refused") {
  CHECK(parseBytes("9223372036854775807") == 9'223'372'036'854'775'807);
  checkThrows<ArgumentError>([] { parseBytes("9223372036854775808"); }, {"2^63 - 1"});
  checkThrows<ArgumentError>([] { parseBytes("9999999999GiB"); }, {"2^63 - 1"});
}

TEST_CASE("bytes are written with three digits and a binary unit") {
  CHECK(humanBytes(0) == "0 B");
  CHECK(humanBytes(1023) == "1023 B");
  CHECK(humanBytes(1024) == "1.00 KiB");
  CHECK(humanBytes(921'600) == "900 KiB");
  CHECK(humanBytes(1'572'864) == "1.50 MiB");
  CHECK(humanBytes(12'547'520) == "12.0 MiB");
  CHECK(humanBytes(-2048) == "-2.00 KiB");
}

TEST_CASE("bytes just below a unit are rounded into it and never get a fourth digit") {
  CHECK(humanBytes(10 * 1024 - 1) == "10.0 KiB");
  CHECK(humanBytes(100 * 1024 - 1) == "100 KiB");
  CHECK(humanBytes(1024 * 1024 - 1) == "1.00 MiB");
  CHECK(humanBytes(9'223'372'036'854'775'807) == "8.00 EiB");
}

TEST_CASE("digits are grouped by three") {
  CHECK(groupedDigits(0) == "0");
  CHECK(groupedDigits(999) == "999");
  CHECK(groupedDigits(1000) == "1,000");
  CHECK(groupedDigits(-100'000) == "-100,000");
  CHECK(groupedDigits(1'234'567'890) == "1,234,567,890");
}

}  // namespace torchette::cli

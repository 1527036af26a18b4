// Reading and writing byte counts.
#include "examples/cli/byte_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "runtime/errors.h"

namespace torchette::cli {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t bytes;
};

constexpr Unit units[] = {{"", 1},
                          {"b", 1},
                          {"kb", 1'000},
                          {"mb", 1'000'000},
                          {"gb", 1'000'000'000},
                          {"kib", std::int64_t{1} << 10},
                          {"mib", std::int64_t{1} << 20},
                          {"gib", std::int64_t{1} << 30}};

const Unit* findUnit(std::string_view text) {
  std::string name(text);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* found = std::ranges::find(units, name, &Unit::name);
  return found == std::end(units) ? nullptr : found;
}

}  // namespace

std::int64_t parseBytes(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const auto* unit = findUnit(text.substr(static_cast<std::size_t>(end - text.data())));
  if (error == std::errc::invalid_argument || count < 0 || unit == nullptr) {
    throw ArgumentError(
        "", "'" + std::string(text) + "' is not a byte count; write e.g. 512MB, 512MiB or 4096");
  }
  if (error == std::errc::result_out_of_range ||
      count > std::numeric_limits<std::int64_t>::max() / unit->bytes) {
    throw ArgumentError("", "'" + std::string(text) + "' is more than 2^63 - 1 bytes");
  }
  return count * unit->bytes;
}

std::string humanBytes(std::int64_t bytes) {
  if (std::abs(bytes) < 1024) return fmt::format("{} B", bytes);
  static constexpr const char* names[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto amount = static_cast<double>(bytes) / 1024;
  const auto* name = std::begin(names);
  // 1023.5 would be written with four digits.
  for (; std::abs(amount) >= 1023.5; ++name) amount /= 1024;
  const auto size = std::abs(amount);
  const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", amount, decimals, *name);
}

std::string groupedDigits(std::int64_t number) {
  auto digits = std::to_string(number);
  const std::ptrdiff_t first = number < 0 ? 1 : 0;
  for (auto at = std::ssize(digits) - 3; at > first; at -= 3) digits.insert(at, 1, ',');
  return digits;
}

}  // namespace torchette::cli

// Byte counts as people write and read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace torchette::cli {

/// "512MB" (KB, MB, GB count in thousands), "512MiB" (KiB, MiB, GiB in 1024s), "4096" or "4096B";
/// upper or lower case. Throws ArgumentError for anything else and for counts beyond 63 bits.
std::int64_t parseBytes(std::string_view text);

/// Three digits and a binary unit: "768 B", "1.50 KiB", "900 KiB".
std::string humanBytes(std::int64_t bytes);

/// All digits, in groups: "921,600".
std::string groupedDigits(std::int64_t number);

}  // namespace torchette::cli

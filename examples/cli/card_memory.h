// CardMemory: what a GPU program has in use on its card, the driver's context included.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace torchette::cli {

/// Bytes in use on the whole card, by all programs; see docs/gpu.md for how they are counted.
struct CardMemory {
  std::optional<std::int64_t> beforeContextBytes;  ///< empty where the driver does not tell
  std::int64_t afterContextBytes = 0;
  std::int64_t nowBytes = 0;

  /// What has come since the context was created and is not in the ledger.
  std::int64_t differenceBytes(std::int64_t ledgerBytes) const {
    return nowBytes - afterContextBytes - ledgerBytes;
  }
};

/// Empty for a backend without a card, and where nothing is known of it.
std::optional<CardMemory> measureCardMemory(std::string_view backendName);

}  // namespace torchette::cli

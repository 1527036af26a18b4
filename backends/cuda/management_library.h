// The driver's management library (libnvidia-ml), which knows a card's memory without a context.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace torchette::cuda {

/// Bytes in use by all programs on the card at a bus address such as "0000:3b:00.0"; empty where
/// the library is missing or does not tell.
std::optional<std::int64_t> bytesInUseByManagementLibrary(const std::string& busAddress);

}  // namespace torchette::cuda

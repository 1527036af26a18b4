// StorageLifetime: when, in the course of a run's operations, a storage's content is needed.
#pragma once

#include <cstdint>
#include <string>

namespace torchette {

/// One allocation of a recorded run. Operations count from 0.
struct StorageLifetime {
  std::string owner;
  std::string field;
  std::int64_t bytes = 0;
  std::int64_t firstUse = 0;  ///< the operation that writes it first
  std::int64_t lastUse = 0;   ///< the operation that reads or writes it last

  bool overlaps(const StorageLifetime& other) const {
    return firstUse <= other.lastUse && other.firstUse <= lastUse;
  }
};

}  // namespace torchette

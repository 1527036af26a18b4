// ByteRanges: a set of bytes, kept as ranges.
#pragma once

#include <cstdint>
#include <vector>

namespace torchette {

class ByteRanges {
 public:
  /// Adds the bytes [begin, end).
  void add(std::int64_t begin, std::int64_t end);
  /// Whether all bytes [begin, end) have been added.
  bool contain(std::int64_t begin, std::int64_t end) const;

 private:
  struct Range {
    std::int64_t begin, end;
  };

  std::vector<Range> ranges_;  ///< ascending, none touches another
};

}  // namespace torchette

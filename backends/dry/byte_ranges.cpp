#include "backends/dry/byte_ranges.h"

#include <algorithm>

namespace torchette {

void ByteRanges::add(std::int64_t begin, std::int64_t end) {
  if (begin >= end) return;
  // Those that [begin, end) meets or touches, from the first that does not end before it.
  const auto first = std::ranges::lower_bound(ranges_, begin, {}, &Range::end);
  const auto last = std::ranges::upper_bound(first, ranges_.end(), end, {}, &Range::begin);
  if (first == last) {
    ranges_.insert(first, {begin, end});
    return;
  }
  first->begin = std::min(first->begin, begin);
  first->end = std::max(std::prev(last)->end, end);
  ranges_.erase(std::next(first), last);
}

bool ByteRanges::contain(std::int64_t begin, std::int64_t end) const {
  if (begin >= end) return true;
  const auto found = std::ranges::upper_bound(ranges_, begin, {}, &Range::end);
  return found != ranges_.end() && found->begin <= begin && end <= found->end;
}

}  // namespace torchette

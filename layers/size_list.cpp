#include "layers/size_list.h"

#include <algorithm>

#include "runtime/errors.h"
#include "runtime/owner_scope.h"

namespace torchette::nn {

void requireSizes(const std::vector<std::int64_t>& sizes, bool mayInferOne) {
  const auto inferred = std::ranges::count(sizes, -1);
  const auto isPositive = [](std::int64_t size) { return size >= 1; };
  const auto positive = std::ranges::count_if(sizes, isPositive);
  const auto allowedInferred = mayInferOne ? 1 : 0;
  if (sizes.empty() || inferred > allowedInferred ||
      positive + inferred != static_cast<std::int64_t>(sizes.size())) {
    throw ArgumentError(OwnerScope::current(), "the sizes are {" + joined(sizes, ", ") +
                                                   "}; expected at least one, each at least 1" +
                                                   (mayInferOne ? ", of which one may be -1" : ""));
  }
}

std::string joined(const std::vector<std::int64_t>& sizes, const std::string& separator) {
  std::string text;
  for (const auto size : sizes) text += (text.empty() ? "" : separator) + std::to_string(size);
  return text;
}

}  // namespace torchette::nn

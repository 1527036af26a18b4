// Not a test but what the leak check is tested on: its only case keeps 12 bytes beyond its end.
#include <doctest/doctest.h>

#include <optional>

#include "runtime/owner_scope.h"
#include "tests/support/test_memory.h"
#include "tests/support/test_tensors.h"

namespace torchette::testing {

TEST_CASE("this case leaks") {
  static std::optional<Tensor> kept;
  const OwnerScope scope("net/leaky");
  kept = tensor(hostAllocator(), {3}, {1, 2, 3});
  CHECK(ledger()->liveBytes() == 12);
}

}  // namespace torchette::testing

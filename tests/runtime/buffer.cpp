// Buffer: who frees what, and when.
#include "runtime/buffer.h"

#include <doctest/doctest.h>

#include <utility>

#include "tests/support/test_memory.h"

namespace torchette {

using testing::hostAllocator;
using testing::ledger;

TEST_CASE("a buffer frees its bytes at the end of its life") {
  {
    const Buffer buffer(hostAllocator(), 100, {"net", "output"});
    CHECK(buffer.bytes() == 100);
    CHECK(buffer.data() != nullptr);
    CHECK(ledger()->liveBytes() == 100);
  }
  CHECK(ledger()->liveBytes() == 0);
}

TEST_CASE("a buffer of no bytes allocates nothing") {
  const Buffer buffer(hostAllocator(), 0, {"net", "output"});
  CHECK(buffer.data() == nullptr);
  CHECK(ledger()->peakBytes() == 0);
}

TEST_CASE("a moved buffer leaves nothing behind") {
  Buffer source(hostAllocator(), 100, {"net", "output"});
  void* data = source.data();
  const Buffer target = std::move(source);
  CHECK(target.data() == data);
  CHECK(source.data() == nullptr);  // NOLINT(bugprone-use-after-move)
  CHECK(source.bytes() == 0);
  CHECK(ledger()->liveBytes() == 100);
}

TEST_CASE("assigning an empty buffer frees the bytes at once") {
  Buffer buffer(hostAllocator(), 100, {"net", "output"});
  buffer = Buffer();
  CHECK(ledger()->liveBytes() == 0);
  CHECK(buffer.bytes() == 0);
}

TEST_CASE("assigning over a buffer frees the old bytes with the temporary") {
  Buffer buffer(hostAllocator(), 100, {"net", "output"});
  buffer = Buffer(hostAllocator(), 40, {"net", "output"});
  CHECK(ledger()->liveBytes() == 40);
  CHECK(buffer.bytes() == 40);
}

}  // namespace torchette

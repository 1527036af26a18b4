// The allocators under a backend, and what the system says of the process.
#include "examples/cli/machine.h"

#include <doctest/doctest.h>

#include "examples/cli/process_memory.h"
#include "runtime/errors.h"
#include "runtime/tensor.h"
#include "tests/support/check_throws.h"

namespace torchette::cli {

using testing::checkThrows;

TEST_CASE("what a machine gives out is in its ledger") {
  const auto machine = makeMachine({});
  Tensor tensor(machine.backend->allocator(), "tensor");
  tensor.resize({4, 4});
  CHECK(machine.ledger->liveBytes() == 64);
}

TEST_CASE("a machine with a limit refuses to go past it and stays usable") {
  const auto machine = makeMachine({.memoryLimitBytes = 100});
  Tensor tensor(machine.backend->allocator(), "tensor");
  checkThrows<MemoryError>([&] { tensor.resize({26}); }, {"tensor of size 26", "limit is 100"});
  tensor.resize({25});
  CHECK(machine.ledger->liveBytes() == 100);
}

TEST_CASE("a machine has as many lanes as asked for") {
  CHECK(makeMachine({.threads = 3}).backend->lanes() == 3);
}

TEST_CASE("an unknown backend is refused with the names there are") {
  checkThrows<ArgumentError>([] { makeMachine({.backend = "abacus"}); }, {"'abacus'", "cpu"});
}

TEST_CASE("memory outside the allocator is what is resident and not tracked") {
  const auto all = measureProcessMemory(0);
  REQUIRE(all);
  CHECK(all->residentBytes > 1'000'000);
  CHECK(all->outsideBytes == all->residentBytes);
  const auto tracked = measureProcessMemory(500'000);
  CHECK(tracked->outsideBytes == tracked->residentBytes - 500'000);
}

TEST_CASE("tracked bytes that are not resident do not make the rest negative") {
  CHECK(measureProcessMemory(std::int64_t{1} << 60)->outsideBytes == 0);
}

}  // namespace torchette::cli

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
  const auto resident = measureResidentMemory();
  REQUIRE(resident);
  CHECK(resident->fileBytes > 500'000);
  CHECK(resident->otherBytes > 100'000);
  const ProcessMemory process{{3000, 1000}, {4000, 9000}, 7500};
  CHECK(process.outsideBytes() == 5500);
  CHECK(process.takenBesideBytes() == 500);
}

TEST_CASE("memory that the program writes becomes resident outside files") {
  const auto before = measureResidentMemory();
  const std::vector<char> written(40'000'000, 'x');
  const auto after = measureResidentMemory();
  REQUIRE(after);
  CHECK(after->otherBytes - before->otherBytes > 39'000'000);
  CHECK(after->fileBytes - before->fileBytes < 1'000'000);
}

TEST_CASE("tracked bytes that are not resident do not make the rest negative") {
  CHECK(ProcessMemory{{}, {4000, 9000}, 20'000}.outsideBytes() == 0);
}

}  // namespace torchette::cli

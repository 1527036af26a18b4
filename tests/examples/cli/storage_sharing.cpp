// Which tensors share a storage.
#include "examples/cli/storage_sharing.h"

#include <doctest/doctest.h>

#include "tests/examples/cli/sample_report.h"

namespace torchette::cli {

using testing::sampleReport;

TEST_CASE("what the storages save adds up to the upper bound less what is held") {
  const auto inspection = sampleReport().inspection;
  std::int64_t saved = 0;
  for (const auto& use : storageUses(inspection)) saved += use.savedBytes();
  CHECK(saved == inspection.totals.upperBoundBytes - inspection.totals.heldBytes);
}

TEST_CASE("each storage names all tensors that look at it") {
  const auto uses = storageUses(sampleReport().inspection);
  REQUIRE(uses.size() == 3);
  CHECK(uses[0].tensors ==
        std::vector<std::string>{"net output", "net/conv output", "net/relu output"});
  CHECK(uses[0].savedBytes() == 800);
  CHECK(uses[1].tensors == std::vector<std::string>{"net/conv weight", "net/conv bias"});
  CHECK(uses[1].savedBytes() == 0);
  CHECK(uses[2].savedBytes() == -24);
}

}  // namespace torchette::cli

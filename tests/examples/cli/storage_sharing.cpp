// Which tensors share a storage, and for whom its bytes count.
#include "examples/cli/storage_sharing.h"

#include <doctest/doctest.h>

#include <numeric>

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

TEST_CASE("a storage counts for the first layer that looks at it and not for its container") {
  const auto counted = countedBytes(sampleReport().inspection);
  CHECK(counted[0] == std::vector<std::int64_t>{0});
  CHECK(counted[1][0] == 400);
  CHECK(counted[2][0] == 0);
}

TEST_CASE(
    "a storage that is cut into views counts for each view and its unused rest for the first") {
  const auto counted = countedBytes(sampleReport().inspection);
  CHECK(counted[1][1] == 100);
  CHECK(counted[1][2] == 20);
  CHECK(counted[2] == std::vector<std::int64_t>{0, 0, 64});
}

TEST_CASE("all bytes held are counted exactly once") {
  const auto inspection = sampleReport().inspection;
  std::int64_t sum = 0;
  for (const auto& fields : countedBytes(inspection)) {
    sum = std::accumulate(fields.begin(), fields.end(), sum);
  }
  CHECK(sum == inspection.totals.heldBytes);
}

}  // namespace torchette::cli

// What only a real GPU can show: streams that wait for each other, the pool, the clock, and the
// card's own count of its memory. Runs where TORCHETTE_TEST_BACKEND is cuda.
#include <doctest/doctest.h>

#include "backends/cuda/cuda_backend.h"
#include "backends/kernels/scratch.h"
#include "runtime/buffer.h"
#include "tests/backends/operands.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

constexpr std::int64_t items = 64, rows = 96, columns = 128, elements = rows * columns;

std::shared_ptr<Backend> cudaBackend(const CudaBackendOptions& options,
                                     const CudaDeviceOptions& deviceOptions = {}) {
  auto device = std::make_shared<DeviceAllocator>(makeCudaDevice(deviceOptions));
  return makeCudaBackend(std::make_shared<TrackingAllocator>(std::move(device), ledger()), options);
}

/// What the ledger holds for one owner.
std::int64_t bytesOf(const std::string& owner) {
  std::int64_t bytes = 0;
  for (const auto& holding : ledger()->liveHoldings()) {
    if (holding.owner == owner) bytes += holding.bytes;
  }
  return bytes;
}

/// Results of work that goes from the main stream to all lanes and back, several times: each matrix
/// is multiplied by one that the main stream has just changed.
std::vector<float> resultsOfLanes(Backend& backend) {
  const auto factor = randomTensor(backend, {columns, columns}, 1);
  const auto input = randomTensor(backend, {items, rows, columns}, 2);
  const auto output = room(backend, {items, rows, columns});
  for (int round = 0; round < 20; ++round) {
    backend.scale(factor.elements(), 0.9F, at(factor), at(factor));
    backend.forEach(items, [&](std::int64_t item, int /*lane*/) {
      backend.gemm({.m = rows,
                    .n = columns,
                    .k = columns,
                    .a = at(input) + item * elements,
                    .lda = columns,
                    .b = at(factor),
                    .ldb = columns,
                    .c = at(output) + item * elements,
                    .ldc = columns});
    });
    backend.addScaled(output.elements(), 0.01F, at(output), at(input));
  }
  return valuesOf(input);
}

}  // namespace

TEST_CASE("work on four lanes gives the bits of work on one") {
  const auto expected = resultsOfLanes(*cudaBackend({.lanes = 1}));
  for (int run = 0; run < 3; ++run) CHECK(resultsOfLanes(*cudaBackend({.lanes = 4})) == expected);
}

TEST_CASE("a pool gives the bits of plain memory") {
  const auto expected = resultsOfLanes(*cudaBackend({}));
  const auto pooled = cudaBackend({}, {.usesPool = true});
  for (int run = 0; run < 3; ++run) CHECK(resultsOfLanes(*pooled) == expected);
}

TEST_CASE("memory freed to a pool is not written anew before its readers are done") {
  const auto backend = cudaBackend({}, {.usesPool = true});
  const auto source = randomTensor(*backend, {items, elements}, 3);
  const auto target = room(*backend, {items, elements});
  for (int round = 0; round < 20; ++round) {
    Tensor passing(backend->allocator(), "passing");
    passing.resize({items, elements});
    backend->scale(source.elements(), 1, at(source), at(passing));
    backend->scale(source.elements(), 1, at(passing), at(target));
  }
  CHECK(valuesOf(target) == valuesOf(source));
}

TEST_CASE("the ledger knows of the workspace of a matrix product") {
  const auto backend = cudaBackend({.lanes = 1});
  resultsOfLanes(*backend);
  CHECK(bytesOf("backend/cublas") == CudaBackendOptions::defaultWorkspaceBytes);
}

TEST_CASE("without a workspace of its own cuBLAS allocates behind the ledger and gives the same") {
  const auto before = ledger()->liveBytes();
  const auto backend = cudaBackend({.lanes = 1, .workspaceBytes = 0});
  const auto held = ledger()->liveBytes() - before;
  CHECK(held == kernels::scratchBytes);
  checkClose(resultsOfLanes(*backend), resultsOfLanes(*cudaBackend({.lanes = 1})), 1e-4);
}

TEST_CASE("the clock of the GPU measures work and is of no other device") {
  const auto backend = cudaBackend({});
  const auto x = randomTensor(*backend, {1 << 20}, 4);
  CHECK(cudaMilliseconds(backend->device(), [&] {
          for (int i = 0; i < 10; ++i) backend->scale(x.elements(), 1, at(x), at(x));
        }) > 0);
  checkThrows<ArgumentError>([] { cudaMilliseconds(hostAllocator()->device(), [] {}); },
                             {"cuda backend", "cpu", "makeCudaDevice"});
}

TEST_CASE("the card counts what the ledger counts") {
  const auto backend = cudaBackend({});
  const auto memory = cudaContextMemory();
  CHECK(memory.bytesAfter.value() >= memory.bytesBefore.value_or(0));
  const auto before = cudaBytesInUse().value();
  constexpr std::int64_t bytes = std::int64_t{256} << 20;
  const Buffer buffer(backend->allocator(), bytes, {"test", "buffer"});
  CHECK(cudaBytesInUse().value() >= before + bytes);
}

TEST_CASE("a backend over memory of another device and negative options are refused") {
  checkThrows<ArgumentError>([] { makeCudaBackend(hostAllocator()); },
                             {"cuda backend", "device cpu"});
  checkThrows<ArgumentError>([] { cudaBackend({.lanes = -1}); }, {"-1 lanes"});
  checkThrows<ArgumentError>([] { cudaBackend({.workspaceBytes = -1}); }, {"-1 bytes"});
}

}  // namespace torchette::testing

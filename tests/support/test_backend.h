// The backends that backend-dependent test cases run on, and tensors on them.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "backends/registry.h"
#include "tests/support/test_memory.h"
#include "tests/support/test_tensors.h"

namespace torchette::testing {

/// A CPU backend over hostAllocator().
std::shared_ptr<Backend> cpuBackend(int lanes = 2);

/// A simulated GPU with memory of its own.
std::shared_ptr<Backend> simulatedBackend(const SimulatedOptions& options = {},
                                          const SimulatedDeviceOptions& deviceOptions = {});

/// A backend, and what failures call it.
struct NamedBackend : std::shared_ptr<Backend> {
  NamedBackend(std::string labelText, std::shared_ptr<Backend> backend)
      : std::shared_ptr<Backend>(std::move(backend)), label(std::move(labelText)) {}

  std::string label;
};

/// The CPU and simulated GPUs that differ in order and strictness or, if the environment variable
/// TORCHETTE_TEST_BACKEND names a backend, that one alone. Their memory is recorded in ledger().
std::vector<NamedBackend> backends();

/// Those of backends() that run the kernels of backends/kernels/; none if the variable names "cpu".
std::vector<NamedBackend> gpuBackends();

/// Why the backend that TORCHETTE_TEST_BACKEND names is not available; empty if it is, or if the
/// variable is not set.
std::string whyBackendIsMissing();

/// Runs the block that follows once for each of backends(), as a subcase of the backend's label:
///   FOR_EACH_BACKEND(backend) { const Tensor x = randomTensor(*backend, {2, 3}, 1); ... }
/// Failures name the subcase. A failed REQUIRE skips the backends that come after. Nothing should
/// follow the block: it would run once more for each backend.
#define FOR_EACH_BACKEND(backend) \
  for (const auto& backend : torchette::testing::backends()) DOCTEST_SUBCASE(backend.label.c_str())

/// The same for each of gpuBackends().
#define FOR_EACH_GPU_BACKEND(backend)                           \
  for (const auto& backend : torchette::testing::gpuBackends()) \
  DOCTEST_SUBCASE(backend.label.c_str())

/// A contiguous tensor of the backend holding `values` in row-major order.
Tensor tensor(Backend& backend, const Shape& shape, const std::vector<float>& values);

/// A contiguous tensor of the backend, uniform in [-1, 1); the same for the same seed.
Tensor randomTensor(Backend& backend, const Shape& shape, std::uint32_t seed);

}  // namespace torchette::testing

// Starting the CUDA backend on machines that have no GPU, or a program that was built without it.
#include <doctest/doctest.h>

#include "backends/cuda/cuda_backend.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_memory.h"

namespace torchette::testing {

TEST_CASE("the status of CUDA is one line and the same each time") {
  const auto status = cudaStatus();
  CHECK_FALSE(status.summary.empty());
  CHECK(status.summary.find('\n') == std::string::npos);
  CHECK(cudaStatus().summary == status.summary);
  CHECK(status.isAvailable == (status.memoryBytes > 0));
}

TEST_CASE("a program that was built without CUDA says so") {
  const auto summary = cudaStatus().summary;
  CHECK((summary.find("not built") == 0) == !TORCHETTE_HAS_CUDA);
}

TEST_CASE("a device or a backend that is not available is refused with the reason") {
  const auto status = cudaStatus();
  if (status.isAvailable) {
    MESSAGE("skipped: this machine has " << status.summary);
    return;
  }
  checkThrows<StateError>([] { makeCudaDevice(); }, {"cuda backend", status.summary});
  checkThrows<StateError>([] { makeCudaBackend(hostAllocator()); },
                          {"cuda backend", status.summary});
  CHECK_FALSE(cudaBytesInUse().has_value());
  CHECK_FALSE(cudaContextMemory().bytesBefore.has_value());
}

}  // namespace torchette::testing

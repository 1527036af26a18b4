// What people are told about a machine's GPU.
#include "backends/cuda/cuda_status.h"

#include <doctest/doctest.h>

namespace torchette::testing {

namespace {

/// A GPU that works, with the driver that it needs.
CudaProbe workingProbe() {
  return {.driverVersion = 13000,
          .runtimeVersion = 13000,
          .major = 8,
          .minor = 0,
          .deviceName = "A card",
          .memoryBytes = std::int64_t{40} << 30};
}

CudaProbe failedProbe(int errorCode, int driverVersion) {
  return {.errorCode = errorCode,
          .errorName = "cudaErrorName",
          .errorText = "its text",
          .driverVersion = driverVersion,
          .runtimeVersion = 13000};
}

void checkUnavailable(const CudaProbe& probe, const std::string& summary) {
  const auto status = cudaStatusOf(probe);
  CHECK_FALSE(status.isAvailable);
  CHECK(status.summary == summary);
  CHECK(status.deviceName.empty());
  CHECK(status.memoryBytes == 0);
}

}  // namespace

TEST_CASE("a GPU that works is described by name and capability and memory") {
  const auto status = cudaStatusOf(workingProbe());
  CHECK(status.isAvailable);
  CHECK(status.summary == "A card (compute capability 8.0, 40960 MiB)");
  CHECK(status.deviceName == "A card");
  CHECK(status.memoryBytes == std::int64_t{40} << 30);
}

TEST_CASE("a machine without a driver is told apart from one with an old driver") {
  checkUnavailable(failedProbe(35, 0),
                   "no NVIDIA driver is installed on this machine (libcuda.so.1 is missing)");
  checkUnavailable(failedProbe(35, 12040),
                   "the NVIDIA driver is too old: it supports CUDA 12.4, this program needs 13.0; "
                   "update the driver");
}

TEST_CASE("a driver that finds no GPU says that it may be hidden") {
  checkUnavailable(
      failedProbe(100, 13000),
      "the NVIDIA driver finds no GPU (none is there, or CUDA_VISIBLE_DEVICES hides it)");
}

TEST_CASE("a stub in place of the driver is named") {
  checkUnavailable(failedProbe(34, 0),
                   "the NVIDIA driver's library libcuda.so.1 is a stub that is only for linking; "
                   "remove it from the library path");
}

TEST_CASE("any other failure of the driver is given by name and text") {
  checkUnavailable(failedProbe(802, 13000),
                   "the NVIDIA driver does not start: cudaErrorName (its text)");
}

TEST_CASE("a GPU before compute capability 8 is too old") {
  auto probe = workingProbe();
  probe.major = 7;
  probe.minor = 5;
  checkUnavailable(probe,
                   "the GPU is too old: A card has compute capability 7.5, 8.0 or newer is needed");
}

}  // namespace torchette::testing

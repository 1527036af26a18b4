// What backends there are, why one is not available, and how to make them by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "backends/cuda/cuda_backend.h"
#include "backends/simulated/simulated_options.h"

namespace torchette {

struct BackendStatus {
  std::string name;
  bool isAvailable = false;
  std::string detail;  ///< one line: what it runs on or, if it is not available, why
};

/// Each device looks at its own part.
struct DeviceOptions {
  SimulatedDeviceOptions simulated = {};
  CudaDeviceOptions cuda = {};
};

struct BackendOptions {
  int lanes = 0;  ///< 0: the backend's default; the simulated backend has one whatever is asked
  SimulatedOptions simulated = {};
};

/// All backends that the project has, in a fixed order.
std::vector<BackendStatus> backendStatuses();

/// Throws ArgumentError, listing the names, for a name that no backend has. Asks no device.
void requireBackendName(std::string_view backendName);

/// The memory half of a backend. Throws ArgumentError, listing the names, for a name that no
/// backend has, and StateError with the reason for one that is not available.
std::shared_ptr<Device> makeDevice(std::string_view backendName, const DeviceOptions& options = {});

/// A backend over memory of makeDevice() of the same name. Throws as makeDevice does, and
/// ArgumentError for an allocator of another device or options out of range.
std::shared_ptr<Backend> makeBackend(std::string_view backendName,
                                     std::shared_ptr<Allocator> allocator,
                                     const BackendOptions& options = {});

}  // namespace torchette

// The simulated GPU: the operations of a kernel backend, run by the host on memory of its own.
#pragma once

#include <memory>

#include "backends/backend.h"
#include "backends/simulated/simulated_options.h"

namespace torchette {

std::shared_ptr<Device> makeSimulatedDevice(const SimulatedDeviceOptions& options = {});

/// A backend of one lane. `allocator` must be of a simulated device; throws ArgumentError
/// otherwise, and MemoryError if the device has no room for its scratch.
std::shared_ptr<Backend> makeSimulatedBackend(std::shared_ptr<Allocator> allocator,
                                              const SimulatedOptions& options = {});

}  // namespace torchette

// This program's context on the first device, and what it costs.
#pragma once

namespace torchette::cuda {

/// Creates the context unless it is there, and records the card's memory before and after for
/// cudaContextMemory(). Throws StateError unless the device can be used, CudaError if it then fails
/// to start.
void requireContext();

}  // namespace torchette::cuda

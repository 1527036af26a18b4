// Reading the card's memory by way of the CUDA backend.
#include "examples/cli/card_memory.h"

#include "backends/cuda/cuda_backend.h"

namespace torchette::cli {

std::optional<CardMemory> measureCardMemory(std::string_view backendName) {
  if (backendName != "cuda") return std::nullopt;
  const auto [bytesBefore, bytesAfter] = cudaContextMemory();
  const auto bytesNow = cudaBytesInUse();
  if (!bytesAfter || !bytesNow) return std::nullopt;
  return CardMemory{bytesBefore, *bytesAfter, *bytesNow};
}

}  // namespace torchette::cli

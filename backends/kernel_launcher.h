// What KernelBackend needs to know of a machine that runs kernels.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string_view>

#include "backends/gemm_call.h"
#include "backends/kernels/elementwise.h"
#include "backends/kernels/grid.h"

namespace torchette {

/// Launches and products of one lane run in the order in which they are issued, and finish before
/// what the device's copies do next.
///   name           of the backend
///   lanes          see Backend::lanes
///   currentLane    the lane whose forEach body runs on this thread; 0 outside any
///   forEach        see Backend::forEach
///   launch         runs a kernel (backends/kernels) at every point of a grid; a grid without
///                  points does nothing
///   gemm           a product whose m, n and k are at least 1; throws ArgumentError if an extent is
///                  more than the machine's library can count
template <class T>
concept KernelLauncher = requires(T& launcher, std::int64_t count,
                                  const std::function<void(std::int64_t item, int lane)>& body,
                                  const KernelGrid& grid, const kernels::Fill& kernel,
                                  const ColumnMajorGemm& gemm) {
  { launcher.name() } -> std::convertible_to<std::string_view>;
  { launcher.lanes() } -> std::same_as<int>;
  { launcher.currentLane() } -> std::same_as<int>;
  launcher.forEach(count, body);
  launcher.launch(grid, kernel);
  launcher.gemm(gemm);
};

}  // namespace torchette

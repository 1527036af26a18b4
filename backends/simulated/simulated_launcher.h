// SimulatedLauncher: runs kernels on the host, point by point, in an order of choice.
#pragma once

#include <memory>
#include <numeric>

#include "backends/kernel_launcher.h"
#include "backends/simulated/simulated_device.h"
#include "runtime/generator.h"

namespace torchette {

class SimulatedLauncher {
 public:
  SimulatedLauncher(SimulatedDevice& device, const SimulatedOptions& options)
      : device_(device), order_(options.order), generator_(options.seed) {}

  std::string_view name() const { return "simulated"; }
  int lanes() const { return 1; }
  int currentLane() const { return 0; }

  void forEach(std::int64_t count, const std::function<void(std::int64_t item, int lane)>& body) {
    for (std::int64_t item = 0; item < count; ++item) body(item, 0);
  }

  /// Runs on the caller's thread.
  template <class Kernel>
  void launch(const KernelGrid& grid, const Kernel& kernel) {
    if (grid.points() == 0) return;
    const SimulatedDevice::Access access(device_);
    if (order_ == PointOrder::inOrder) return runInOrder(grid, kernel);
    const std::int64_t points = grid.points();
    const Walk walk =
        order_ == PointOrder::reversed ? Walk{points - 1, points - 1} : drawWalk(points);
    std::int64_t point = walk.start;
    for (std::int64_t i = 0; i < points; ++i) {
      kernel(point / grid.columns / grid.rows, point / grid.columns % grid.rows,
             point % grid.columns);
      point = (point + walk.step) % points;
    }
  }

  /// By OpenBLAS, with the arguments that cuBLAS would get.
  void gemm(const ColumnMajorGemm& gemm);

 private:
  /// A way through all points: from `start` on in steps that have no divisor in common with their
  /// number, round and round.
  struct Walk {
    std::int64_t start, step;
  };

  template <class Kernel>
  static void runInOrder(const KernelGrid& grid, const Kernel& kernel) {
    for (std::int64_t plane = 0; plane < grid.planes; ++plane) {
      for (std::int64_t row = 0; row < grid.rows; ++row) {
        for (std::int64_t column = 0; column < grid.columns; ++column) kernel(plane, row, column);
      }
    }
  }

  Walk drawWalk(std::int64_t points) {
    const auto draw = [&] { return generator_.random() % points; };
    Walk walk{draw(), draw()};
    while (std::gcd(walk.step, points) != 1) ++walk.step;
    return walk;
  }

  SimulatedDevice& device_;
  PointOrder order_;
  Generator generator_;
};

}  // namespace torchette

// Sums over planes by two launches, with scratch of a fixed size.
#pragma once

#include <memory>
#include <string>

#include "backends/kernel_launcher.h"
#include "backends/kernels/reductions.h"
#include "runtime/buffer.h"

namespace torchette {

/// Scratch is allocated once, from the backend's allocator, as "backend/<name>" "scratch":
/// kernels::scratchBytes for each lane.
template <KernelLauncher Launcher>
class KernelReductions {
 public:
  /// A range of planes whose sums fit the scratch, and where they lie.
  template <class Sum>
  struct Range {
    kernels::PlaneChunks chunks;
    Sum* totals;    ///< one for each plane, for ends that keep them
    Sum* partials;  ///< one for each plane and chunk

    kernels::StoreSum<Sum> store() const { return {chunks.firstPlane, totals}; }
  };

  KernelReductions(Launcher& launcher, const std::shared_ptr<Allocator>& allocator)
      : launcher_(launcher),
        scratch_(allocator, launcher.lanes() * kernels::scratchBytes,
                 {"backend/" + std::string(launcher.name()), "scratch"}) {}

  /// Calls body(range) for ranges that cover planes of `elements` each. A range's scratch is the
  /// current lane's and lasts until the next range.
  template <class Sum, class Body>
  void forEachRange(std::int64_t planes, std::int64_t elements, const Body& body) {
    for (std::int64_t first = 0; first < planes;) {
      const auto chunks = kernels::planeChunksFrom(first, planes, elements, sizeof(Sum));
      Sum* totals = laneScratch<Sum>();
      body(Range<Sum>{chunks, totals, totals + chunks.planes});
      first = chunks.endPlane();
    }
  }

  /// finish(plane, sum of term(plane, nth)) for each plane of the range.
  template <class Term, class Finish>
  void sum(const Range<typename Term::Sum>& range, const Term& term, const Finish& finish) {
    using Sum = typename Term::Sum;
    const auto& chunks = range.chunks;
    launcher_.launch({1, chunks.planes, chunks.chunks},
                     kernels::PartialSums<Term>{term, chunks, range.partials});
    launcher_.launch(rowOf(chunks.planes),
                     kernels::CombinedSums<Sum, Finish>{finish, chunks, range.partials});
  }

  /// The same for all planes, where no end is needed by a later launch.
  template <class Term, class Finish>
  void sum(std::int64_t planes, std::int64_t elements, const Term& term, const Finish& finish) {
    forEachRange<typename Term::Sum>(planes, elements,
                                     [&](const auto& range) { sum(range, term, finish); });
  }

  /// The sum of term(0, nth), on the host.
  template <class Term>
  typename Term::Sum total(Device& device, std::int64_t elements, const Term& term) {
    typename Term::Sum result{};
    forEachRange<typename Term::Sum>(1, elements, [&](const auto& range) {
      sum(range, term, range.store());
      device.copyToHost(&result, range.totals, sizeof(result));
    });
    return result;
  }

 private:
  template <class Sum>
  Sum* laneScratch() const {
    auto* bytes = static_cast<std::byte*>(scratch_.data());
    return reinterpret_cast<Sum*>(bytes + launcher_.currentLane() * kernels::scratchBytes);
  }

  Launcher& launcher_;
  Buffer scratch_;
};

}  // namespace torchette

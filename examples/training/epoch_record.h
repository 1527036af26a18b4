// EpochRecord: what one epoch of training came to.
#pragma once

#include <cstdint>
#include <optional>

namespace torchette::training {

struct EpochRecord {
  std::int64_t epoch = 0;                   ///< counts from 1
  double loss = 0;                          ///< mean over the training images
  std::optional<double> testAccuracy = {};  ///< classifiers: in [0, 1]
  std::optional<double> testError = {};     ///< autoencoders: mean squared difference of a pixel
  double imagesPerSecond = 0;               ///< while training
  double seconds = 0;                       ///< of training, without the test
  std::int64_t peakBytes = 0;               ///< the ledger's peak so far

  bool operator==(const EpochRecord&) const = default;
};

}  // namespace torchette::training

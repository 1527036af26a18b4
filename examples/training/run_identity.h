// RunIdentity: what must be the same when a training run is continued.
#pragma once

#include <cstdint>
#include <string>

#include "examples/data/dataset.h"
#include "examples/training/options.h"

namespace torchette::training {

/// Which images a run is trained and tested on. The checksums tell; the name is for messages.
struct DataIdentity {
  std::string name;
  std::int64_t trainingImages = 0;
  std::int64_t testImages = 0;
  std::uint32_t trainingChecksum = 0;
  std::uint32_t testChecksum = 0;
};

struct RunIdentity {
  std::string model;        ///< the text the model was made from
  std::string description;  ///< of the network, as Torch7 prints it
  DataIdentity data;
  TrainingOptions options;
};

DataIdentity identityOf(const data::ImageData& images);

/// Throws FileError that names `place`, the setting and both values unless both are the same in
/// everything but the number of epochs and the name of the data.
void requireSameRun(const RunIdentity& saved, const RunIdentity& current, const std::string& place);

/// A number as people write it: 0.05, 1e-05.
std::string shortText(double number);

}  // namespace torchette::training

// TrainingLog: one JSON object per epoch and line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "examples/training/epoch_record.h"

namespace torchette::training {

/// {"epoch":1,"loss":0.52,"testAccuracy":0.871,"imagesPerSecond":9000,"seconds":6.6,"peakBytes":0};
/// an autoencoder has "testError" instead of "testAccuracy". Without the end of line.
std::string toJson(const EpochRecord& record);

class TrainingLog {
 public:
  /// Replaces the file by one line per record of `history`, the epochs that a resumed run
  /// continues: whatever an earlier run had written besides, no epoch is lost or doubled. Throws
  /// FileError.
  TrainingLog(std::filesystem::path path, const std::vector<EpochRecord>& history);

  /// Throws FileError.
  void append(const EpochRecord& record);

 private:
  std::filesystem::path path_;
};

}  // namespace torchette::training

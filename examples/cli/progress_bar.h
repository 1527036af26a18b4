// ProgressBar: how far training has come, in one line of a terminal that is drawn over and over.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "examples/training/trainer.h"

namespace torchette::cli {

/// "epoch 1/3  [#########-----------]  45 %  loss 0.512  9,120 images/s  14 s left". `seconds` is
/// what the images done of this epoch took; the time left is that of all epochs to come.
std::string progressLine(const training::Progress& progress, std::int64_t epochs, double seconds);

/// "8 s", "2 min 5 s", "1 h 3 min"
std::string durationText(double seconds);

/// Draws on stderr if that is a terminal, else does nothing.
class ProgressBar {
 public:
  explicit ProgressBar(std::int64_t epochs);

  /// Draws, unless it has just been drawn. An epoch begins where the bar is made or cleared.
  void show(const training::Progress& progress);
  /// Makes room for other lines.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::int64_t epochs_;
  bool isTerminal_;
  bool isDrawn_ = false;
  Clock::time_point epochStart_ = Clock::now();
  Clock::time_point lastDrawn_ = {};
};

}  // namespace torchette::cli

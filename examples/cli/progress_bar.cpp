// Drawing progress on a terminal.
#include "examples/cli/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "examples/cli/byte_size.h"

namespace torchette::cli {

std::string durationText(double seconds) {
  const auto whole = std::llround(std::max(0.0, seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string progressLine(const training::Progress& progress, std::int64_t epochs, double seconds) {
  constexpr std::int64_t barWidth = 20;
  const auto done = progress.imagesDone;
  const auto total = std::max<std::int64_t>(1, progress.imagesTotal);
  const auto filled = static_cast<std::size_t>(barWidth * done / total);
  const double imagesPerSecond = static_cast<double>(done) / std::max(seconds, 1e-9);
  const auto imagesLeft = (epochs - progress.epoch + 1) * total - done;
  return fmt::format("epoch {}/{}  [{:-<{}}] {:>3} %  loss {:#.3g}  {} images/s  {} left",
                     progress.epoch, epochs, std::string(filled, '#'), barWidth, 100 * done / total,
                     progress.loss, groupedDigits(std::llround(imagesPerSecond)),
                     durationText(static_cast<double>(imagesLeft) / imagesPerSecond));
}

ProgressBar::ProgressBar(std::int64_t epochs)
    : epochs_(epochs), isTerminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressBar::show(const training::Progress& progress) {
  using std::chrono::milliseconds;
  const auto now = Clock::now();
  const bool isEpochDone = progress.imagesDone == progress.imagesTotal;
  if (!isTerminal_ || (now - lastDrawn_ < milliseconds(100) && !isEpochDone)) return;
  lastDrawn_ = now;
  isDrawn_ = true;
  const std::chrono::duration<double> seconds = now - epochStart_;
  // The line before is erased to its end, whatever was longer there.
  const auto line = "\r" + progressLine(progress, epochs_, seconds.count()) + "\x1b[K";
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void ProgressBar::clear() {
  epochStart_ = Clock::now();
  if (!isDrawn_) return;
  isDrawn_ = false;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace torchette::cli

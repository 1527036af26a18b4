// Listening for SIGINT and SIGTERM.
#include "examples/cli/interruption.h"

#include <csignal>

namespace torchette::cli {

namespace {

std::atomic<bool> isStopRequested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

bool listen() {
  struct sigaction action = {};
  action.sa_handler = [](int) { isStopRequested = true; };
  // Back to the default after the first signal.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  return sigaction(SIGINT, &action, nullptr) == 0 && sigaction(SIGTERM, &action, nullptr) == 0;
}

}  // namespace

const std::atomic<bool>& stopRequest() {
  [[maybe_unused]] static const bool isListening = listen();
  return isStopRequested;
}

}  // namespace torchette::cli

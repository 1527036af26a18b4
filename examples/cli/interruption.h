// Interruption: turns SIGINT and SIGTERM into a flag that work in progress looks at.
#pragma once

#include <atomic>

namespace torchette::cli {

/// True once the program has been asked to stop. The first call begins to listen; a second signal
/// ends the program at once.
const std::atomic<bool>& stopRequest();

}  // namespace torchette::cli

// Writing to stdout with every error noticed.
#include "examples/cli/standard_output.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "runtime/errors.h"

namespace torchette::cli {

void print(std::string_view text) {
  errno = 0;
  const bool isWritten =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (isWritten || errno == EPIPE) return;
  throw FileError("standard output", "cannot write: " + std::generic_category().message(errno));
}

void surviveClosedPipes() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace torchette::cli

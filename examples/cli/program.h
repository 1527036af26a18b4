// The program: reads the command line, does the work, turns errors into one line and a status.
#pragma once

namespace torchette::cli {

/// Exit statuses.
enum Status {
  done = 0,
  failed = 1,  ///< the work could not be done or finished
  misused = 2  ///< the command line is wrong
};

/// Runs the whole program and returns its exit status.
int runProgram(int argumentCount, const char* const* arguments);

}  // namespace torchette::cli

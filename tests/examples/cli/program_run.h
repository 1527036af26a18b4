// Runs the real program, as a shell would.
#pragma once

#include <string>
#include <vector>

namespace torchette::testing {

/// What a finished program left behind.
struct ProgramRun {
  int status = 0;      ///< exit status; 128 + n if signal n ended it
  std::string output;  ///< stdout
  std::string errors;  ///< stderr
};

/// `torchette ARGUMENTS`; the shell reads the arguments, so quotes are needed where it needs them.
ProgramRun runTorchette(const std::string& arguments);

/// A shell script in which $torchette is the program.
ProgramRun runScript(const std::string& script);

/// Names of the backends that this machine can run.
std::vector<std::string> availableBackends();

/// Whether `text` is a single line: not empty, and no newline but the last character.
bool isOneLine(const std::string& text);

/// Whether `text` has a line that is exactly `line`.
bool hasLine(const std::string& text, const std::string& line);

}  // namespace torchette::testing

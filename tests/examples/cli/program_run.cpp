// Running the program with its output kept.
#include "tests/examples/cli/program_run.h"

#include <sys/wait.h>

#include <cstdlib>

#include "backends/registry.h"
#include "tests/examples/temporary_directory.h"

namespace torchette::testing {

ProgramRun runScript(const std::string& script) {
  const TemporaryDirectory directory;
  const auto scriptFile = directory / "script";
  const auto output = directory / "output";
  const auto errors = directory / "errors";
  writeFile(scriptFile, "torchette='" TORCHETTE_PROGRAM "'\n" + script + "\n");
  const auto command = "sh '" + scriptFile.string() + "' >'" + output.string() + "' 2>'" +
                       errors.string() + "' </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), readFile(output),
          readFile(errors)};
}

ProgramRun runTorchette(const std::string& arguments) {
  return runScript("\"$torchette\" " + arguments);
}

std::vector<std::string> availableBackends() {
  std::vector<std::string> names;
  for (const auto& status : backendStatuses()) {
    if (status.isAvailable) names.push_back(status.name);
  }
  return names;
}

bool isOneLine(const std::string& text) {
  return !text.empty() && text.find('\n') == text.size() - 1;
}

bool hasLine(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace torchette::testing

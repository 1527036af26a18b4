// The subcommands. Each file *_command.cpp adds one, with its options, to the program.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace torchette::cli {

/// The whole command line, and the work that the subcommand named on it has to do; read only once
/// the command line is known to be right.
struct Invocation {
  std::vector<std::string> arguments;
  std::function<void()> action;
};

/// Adds a subcommand to `program`; when it is chosen, it leaves its work in `invocation`, which
/// outlives `program`.
using AddCommand = void (*)(CLI::App& program, Invocation& invocation);

void addTrainCommand(CLI::App& program, Invocation& invocation);
void addInspectCommand(CLI::App& program, Invocation& invocation);
void addEstimateCommand(CLI::App& program, Invocation& invocation);
void addBenchCommand(CLI::App& program, Invocation& invocation);
void addModelsCommand(CLI::App& program, Invocation& invocation);
void addBackendsCommand(CLI::App& program, Invocation& invocation);

/// In the order of the help page.
inline constexpr AddCommand commands[] = {addTrainCommand, addInspectCommand, addEstimateCommand,
                                          addBenchCommand, addModelsCommand,  addBackendsCommand};

}  // namespace torchette::cli

// Reading the command line and turning errors into exit statuses.
#include "examples/cli/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>

#include "examples/cli/command.h"
#include "examples/cli/standard_output.h"
#include "examples/cli/usage_error.h"

namespace torchette::cli {

namespace {

constexpr const char* examples = R"(Examples:
  torchette train lenet --epochs 2
  torchette inspect 'nn.SpatialConvolution(3,4,4,4,2,2,1,1)' --input 16x3x32x32
  torchette inspect --help)";

/// Shows of each option its names and the kind of its value, but not how it is checked.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(26); }

  std::string make_option_name(const CLI::Option* option, bool isPositional) const override {
    const auto name = Formatter::make_option_name(option, isPositional);
    // The value that a flag stands for is written in braces.
    return name.substr(0, name.find('{'));
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const auto kind = option->get_type_name();
    return kind.empty() ? "" : " " + kind;
  }
};

/// Says in one line on stderr what went wrong.
void complain(std::string message) {
  std::ranges::replace(message, '\n', ' ');
  std::fputs(("torchette: " + message + "\n").c_str(), stderr);
}

/// "torchette inspect", as far as the command line could be understood.
std::string commandName(const CLI::App& program) {
  std::string name = "torchette";
  for (const auto* command : program.get_subcommands()) name += " " + command->get_name();
  return name;
}

/// "train, inspect, ..."
std::string commandNames(const CLI::App& program) {
  std::string names;
  for (const auto* command : program.get_subcommands({})) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return names;
}

int misusedBecause(const CLI::App& program, const std::string& message) {
  complain(message + "; see " + commandName(program) + " --help");
  return Status::misused;
}

void addCommands(CLI::App& program, Invocation& invocation) {
  program.set_version_flag("--version", "torchette " TORCHETTE_VERSION, "Print the version");
  program.set_help_flag("-h,--help", "Print this help");
  program.footer(examples);
  program.formatter(std::make_shared<HelpFormatter>());
  for (const auto addCommand : commands) addCommand(program, invocation);
}

int run(CLI::App& program, int argumentCount, const char* const* arguments) {
  Invocation invocation{{arguments, arguments + argumentCount}, {}};
  addCommands(program, invocation);
  try {
    program.parse(argumentCount, arguments);
    if (!invocation.action)
      throw UsageError("", "a subcommand is needed: " + commandNames(program));
    invocation.action();
  } catch (const CLI::CallForHelp&) {
    print(program.help());
  } catch (const CLI::CallForVersion& version) {
    print(version.what() + std::string("\n"));
  } catch (const CLI::ParseError& error) {
    return misusedBecause(program, error.what());
  } catch (const UsageError& error) {
    return misusedBecause(program, error.what());
  }
  return Status::done;
}

}  // namespace

int runProgram(int argumentCount, const char* const* arguments) {
  surviveClosedPipes();
  try {
    CLI::App program("Trains toy networks and shows where every byte of them goes.", "torchette");
    return run(program, argumentCount, arguments);
  } catch (const std::bad_alloc&) {
    complain("the system has no more memory; use a smaller batch");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return Status::failed;
}

}  // namespace torchette::cli

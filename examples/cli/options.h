// Options that several subcommands have.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "examples/cli/machine.h"
#include "layers/module.h"
#include "layers/workspace_strategy.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace torchette::cli {

/// An option whose text `parse` reads; an Error it throws becomes a wrong command line that names
/// the option.
CLI::Option* addParsedOption(CLI::App& command, const std::string& name, const std::string& help,
                             std::function<void(const std::string& text)> parse);

/// --backend, --memory-limit, --threads
void addMachineOptions(CLI::App& command, MachineOptions& options);
/// --workspace; stays empty for "default".
void addWorkspaceOption(CLI::App& command, std::optional<nn::WorkspaceStrategy>& strategy);

/// --share
void addSharingOption(CLI::App& command, nn::MemorySharing& sharing);

/// A whole number in [least, most]. Throws ArgumentError for anything else.
std::int64_t parseWhole(const std::string& text, std::int64_t least,
                        std::int64_t most = std::numeric_limits<std::int64_t>::max());
/// A finite number that `isAccepted`. Throws ArgumentError, saying what was expected, e.g. "a
/// number above 0", for anything else.
double parseReal(const std::string& text, bool (*isAccepted)(double), const std::string& expected);
/// What manualSeed takes: a whole number of 32 bits. Throws ArgumentError for anything else.
std::uint32_t parseSeed(const std::string& text);

/// "16x3x32x32". Throws ArgumentError for anything else.
Shape parseShape(const std::string& text);

}  // namespace torchette::cli

// Options that several subcommands have.
#include "examples/cli/options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <utility>

#include "examples/cli/byte_size.h"
#include "examples/cli/memory_report.h"
#include "runtime/errors.h"

namespace torchette::cli {

namespace {

nn::MemorySharing sharingNamed(const std::string& name) {
  using enum nn::MemorySharing;
  for (const auto sharing : {off, workspace, plan}) {
    if (name == nameOf(sharing)) return sharing;
  }
  throw ArgumentError("", "there is no sharing '" + name + "'; it is off, workspace or plan");
}

}  // namespace

CLI::Option* addParsedOption(CLI::App& command, const std::string& name, const std::string& help,
                             std::function<void(const std::string& text)> parse) {
  const auto read = [name, parse = std::move(parse)](const std::string& text) {
    try {
      parse(text);
    } catch (const Error& error) {
      throw CLI::ValidationError(name, error.what());
    }
  };
  return command.add_option_function<std::string>(name, read, help);
}

void addMachineOptions(CLI::App& command, MachineOptions& options) {
  addParsedOption(command, "--backend", "Where to compute: cpu (default), cuda or simulated",
                  [&options](const std::string& text) {
                    requireBackendName(text);
                    options.backend = text;
                  })
      ->type_name("NAME");
  addParsedOption(
      command, "--memory-limit", "Refuse any allocation past it, e.g. 512MB, 512MiB or 4096",
      [&options](const std::string& text) { options.memoryLimitBytes = parseBytes(text); })
      ->type_name("BYTES");
  addParsedOption(command, "--threads",
                  "Pieces of work at once; default: one per processor, 4 on cuda",
                  [&options](const std::string& text) {
                    constexpr std::int64_t most = 1024;
                    options.threads = static_cast<int>(parseWhole(text, 1, most));
                  })
      ->type_name("N");
}

void addWorkspaceOption(CLI::App& command, std::optional<nn::WorkspaceStrategy>& strategy) {
  addParsedOption(command, "--workspace",
                  "What convolutions keep: batch, sample, or the backend's default",
                  [&strategy](const std::string& text) {
                    if (text == "default") return;
                    strategy = nn::workspaceStrategyNamed(text);
                  })
      ->type_name("STRATEGY");
}

void addSharingOption(CLI::App& command, nn::MemorySharing& sharing) {
  addParsedOption(command, "--share",
                  "off (default); in evaluation also workspace: convolutions share finput and "
                  "fgradInput, or plan: all intermediate tensors in one arena",
                  [&sharing](const std::string& text) { sharing = sharingNamed(text); })
      ->type_name("WHAT");
}

std::int64_t parseWhole(const std::string& text, std::int64_t least, std::int64_t most) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && next == end && number >= least && number <= most) return number;
  const bool isLimited = most != std::numeric_limits<std::int64_t>::max();
  throw ArgumentError("", "'" + text + "' is not a whole number from " + std::to_string(least) +
                              (isLimited ? " to " + std::to_string(most) : " on"));
}

double parseReal(const std::string& text, bool (*isAccepted)(double), const std::string& expected) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && next == end && std::isfinite(number) && isAccepted(number)) {
    return number;
  }
  throw ArgumentError("", "'" + text + "' is not " + expected);
}

std::uint32_t parseSeed(const std::string& text) {
  return static_cast<std::uint32_t>(parseWhole(text, 0, std::numeric_limits<std::uint32_t>::max()));
}

Shape parseShape(const std::string& text) {
  std::vector<std::int64_t> extents;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::int64_t extent = 0;
    const auto [next, error] = std::from_chars(at, end, extent);
    const bool isExtent = error == std::errc() && extent >= 0;
    if (!isExtent || (next != end && *next != 'x')) {
      throw ArgumentError("", "'" + text + "' is not a shape; write e.g. 16x3x32x32");
    }
    extents.push_back(extent);
    if (next == end) return Shape(std::move(extents));
    at = next + 1;
  }
}

}  // namespace torchette::cli

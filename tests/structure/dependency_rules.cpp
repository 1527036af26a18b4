// The dependency rules as code.
#include "tests/structure/dependency_rules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace torchette::structure {

namespace {

/// The table of default workspace strategies, the one place in layers/ that knows backends by name.
constexpr const char* strategyTable = "layers/workspace_strategy.cpp";

bool startsWithAnyOf(const std::string& text, const std::vector<std::string>& beginnings) {
  return std::ranges::any_of(
      beginnings, [&](const std::string& beginning) { return text.starts_with(beginning); });
}

/// What the files of a top folder may include of this project.
const std::set<std::string>& foldersSeenFrom(const std::string& folder) {
  static const std::map<std::string, std::set<std::string>> seen{
      {"runtime", {"runtime"}},
      {"backends", {"runtime", "backends"}},
      {"layers", {"runtime", "backends", "layers"}},
      {"examples", {"runtime", "backends", "layers", "examples"}},
      {"bench", {"runtime", "backends", "layers", "examples", "bench"}},
      {"tests", {"runtime", "backends", "layers", "examples", "bench", "tests"}}};
  return seen.at(folder);
}

/// Standard library headers have neither a folder nor an extension.
bool isStandard(const Include& include) {
  return !include.isQuoted && include.name.find_first_of("/.") == std::string::npos;
}

bool isCudaHeader(const std::string& name) {
  return startsWithAnyOf(name, {"cuda", "cublas", "curand", "cudnn", "cub/", "thrust/", "nv/",
                                "device_launch_parameters", "cooperative_groups"});
}

bool compilesOnAnyDevice(const Include& include) {
  static const std::set<std::string> headers{"cfloat",  "climits", "cmath",
                                             "cstddef", "cstdint", "limits"};
  return !include.isQuoted && headers.contains(include.name);
}

/// Whether a quoted name is a header directly in backends/, or the plain structs that those are
/// written with.
bool isPublicBackendHeader(const std::string& name) {
  if (name == "backends/kernels/geometry.h") return true;
  return topFolderOf(name) == "backends" && std::ranges::count(name, '/') == 1;
}

std::optional<std::string> ruleOnQuoted(const std::string& path, const Include& include) {
  if (!include.isQuoted) return std::nullopt;
  const auto folder = topFolderOf(path);
  const auto included = topFolderOf(include.name);
  if (!foldersSeenFrom(folder).contains(included)) {
    return folder + "/ may not see " +
           (included.empty() ? "files beside it by name" : included + "/");
  }
  if (folder == "layers" && included == "backends" && !isPublicBackendHeader(include.name)) {
    return "layers/ sees only the headers directly in backends/";
  }
  return std::nullopt;
}

std::optional<std::string> ruleOnSystem(const std::string& path, const Include& include) {
  if (include.isQuoted) return std::nullopt;
  if (include.name == "cblas.h" && !path.starts_with("backends/cpu/")) {
    return "only backends/cpu/ includes cblas.h";
  }
  if (isCudaHeader(include.name) && !path.starts_with("backends/cuda/")) {
    return "only backends/cuda/ includes CUDA headers";
  }
  if (startsWithAnyOf(path, {"runtime/", "layers/"}) && !isStandard(include)) {
    return topFolderOf(path) + "/ includes no header outside the project and the standard library";
  }
  return std::nullopt;
}

std::optional<std::string> ruleOnKernels(const std::string& path, const Include& include) {
  if (!path.starts_with("backends/kernels/")) return std::nullopt;
  const bool isItself = include.isQuoted && include.name.starts_with("backends/kernels/");
  if (isItself || compilesOnAnyDevice(include)) return std::nullopt;
  return "backends/kernels/ includes only itself and <cstdint>-like headers";
}

/// CUDA and BLAS headers count in quotes too, where they are found beside the system's.
Include asSystemHeader(Include include) {
  if (include.name == "cblas.h" || isCudaHeader(include.name)) include.isQuoted = false;
  return include;
}

/// Removes blanks and then `word` from the front of `text`, if it is there.
bool skip(std::string_view& text, std::string_view word) {
  auto rest = text;
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (!rest.starts_with(word)) return false;
  text = rest.substr(word.size());
  return true;
}

}  // namespace

std::vector<Include> includesOf(const SourceFile& file) {
  std::vector<Include> includes;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    std::string_view text = file.lines[i];
    if (!skip(text, "#") || !skip(text, "include")) continue;
    const bool isQuoted = skip(text, "\"");
    if (!isQuoted && !skip(text, "<")) continue;
    const auto end = text.find(isQuoted ? '"' : '>');
    includes.push_back({std::string(text.substr(0, end)), isQuoted, i + 1});
  }
  return includes;
}

std::vector<std::string> brokenIncludes(const std::vector<SourceFile>& files) {
  std::vector<std::string> broken;
  for (const auto& file : files) {
    for (const auto& written : includesOf(file)) {
      const auto include = asSystemHeader(written);
      for (const auto& rule : {ruleOnQuoted(file.path, include), ruleOnSystem(file.path, include),
                               ruleOnKernels(file.path, include)}) {
        if (!rule) continue;
        broken.push_back(file.path + ":" + std::to_string(include.line) + " includes " +
                         include.name + ": " + *rule);
      }
    }
  }
  return broken;
}

std::vector<std::string> backendNamesInLayers(const std::vector<SourceFile>& files) {
  std::vector<std::string> found;
  for (const auto& file : files) {
    if (topFolderOf(file.path) != "layers" || file.path == strategyTable) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const char* name : {"cpu", "cuda", "simulated", "dry"}) {
        if (file.lines[i].find('"' + std::string(name) + '"') == std::string::npos) continue;
        found.push_back(file.path + ":" + std::to_string(i + 1) + " names the backend " + name);
      }
    }
  }
  return found;
}

}  // namespace torchette::structure

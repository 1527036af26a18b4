// Who may include whom: runtime <- backends <- layers <- examples, tests, bench.
#pragma once

#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace torchette::structure {

struct Include {
  std::string name;  ///< what stands between the quotes or angle brackets
  bool isQuoted = false;
  std::size_t line = 0;  ///< counted from 1
};

std::vector<Include> includesOf(const SourceFile& file);

/// One line per broken rule, as "path:line includes name: rule". The rules:
/// - an include in quotes starts at the project's folder, and its top folder is one that the
/// includer may see;
/// - runtime/ and layers/ include nothing but that and the standard library;
/// - layers/ sees of backends/ only the headers directly in it and kernels/geometry.h;
/// - backends/kernels/ includes only itself and headers that any device compiler has;
/// - only backends/cpu/ includes cblas.h, only backends/cuda/ includes CUDA headers.
std::vector<std::string> brokenIncludes(const std::vector<SourceFile>& files);

/// Files of layers/ that name a backend in a string, apart from the one table of default
/// strategies.
std::vector<std::string> backendNamesInLayers(const std::vector<SourceFile>& files);

}  // namespace torchette::structure

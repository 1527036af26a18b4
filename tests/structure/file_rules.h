// What every source file looks like: it says what it is for, it is not too long, its tests can be
// named.
#pragma once

#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace torchette::structure {

/// Paths of files whose first line is neither a comment with words in it nor the #include of their
/// own header.
std::vector<std::string> filesWithoutPurpose(const std::vector<SourceFile>& files);

/// "path has n lines" for each file outside tests/ that is longer than 450 lines.
std::vector<std::string> filesTooLong(const std::vector<SourceFile>& files);

/// "path: name" for each test case whose name ctest cannot pass on: with a comma, quote, bracket,
/// semicolon, backslash or wildcard in it.
std::vector<std::string> unusableTestNames(const std::vector<SourceFile>& files);

}  // namespace torchette::structure

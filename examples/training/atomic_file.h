// Files that are replaced as a whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace torchette::training {

/// Writes a temporary file beside `path`, flushes it to the disk and renames it. After a failure or
/// a kill at any moment `path` holds its old content or the new one. Throws FileError.
void replaceFile(const std::filesystem::path& path, std::string_view content);

/// Throws FileError unless replaceFile(path, ...) could begin now; leaves `path` as it is.
void requireReplaceable(const std::filesystem::path& path);

}  // namespace torchette::training

// What the program writes for people and other programs to read.
#pragma once

#include <string_view>

namespace torchette::cli {

/// Writes to stdout, at once. A reader that has gone away (a closed pipe) is no error: the text is
/// dropped. Throws FileError if it cannot be written for another reason, e.g. a full disk.
void print(std::string_view text);

/// A closed pipe from now on fails the write instead of ending the program.
void surviveClosedPipes();

}  // namespace torchette::cli

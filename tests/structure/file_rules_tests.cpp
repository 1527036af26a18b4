// The rules on single files hold for this project; and on made-up files they are seen to break.
#include "tests/structure/file_rules.h"

#include <doctest/doctest.h>

namespace torchette::structure {

namespace {

std::vector<std::string> linesBeginningWith(const std::string& first, std::size_t count) {
  std::vector<std::string> lines(count);
  lines.at(0) = first;
  return lines;
}

}  // namespace

TEST_CASE("every source file of this project says first what it is for") {
  CHECK(joined(filesWithoutPurpose(projectTree())) == "");
}

TEST_CASE("no source file of this project outside the tests has more than 450 lines") {
  CHECK(joined(filesTooLong(projectTree())) == "");
}

TEST_CASE("every test case of this project can be run by its name") {
  CHECK(joined(unusableTestNames(projectTree())) == "");
}

TEST_CASE("a file that does not begin with words in a comment is found") {
  CHECK(filesWithoutPurpose({{"runtime/a.h", {"// What it is for.", "#pragma once"}}}).empty());
  CHECK(filesWithoutPurpose({{"runtime/a.h", {"/* What it is for. */"}}}).empty());
  CHECK(filesWithoutPurpose({{"runtime/a.h", {"#pragma once", "// Late."}},
                             {"runtime/b.h", {"//"}},
                             {"runtime/c.h", {"", "// Late."}},
                             {"runtime/d.h", {}}}) ==
        std::vector<std::string>{"runtime/a.h", "runtime/b.h", "runtime/c.h", "runtime/d.h"});
}

TEST_CASE("a source file may leave its purpose to its own header but not to another") {
  CHECK(filesWithoutPurpose({{"runtime/a.cpp", {"#include \"runtime/a.h\""}}}).empty());
  CHECK(filesWithoutPurpose({{"runtime/a.cpp", {"#include \"runtime/b.h\""}}}) ==
        std::vector<std::string>{"runtime/a.cpp"});
}

TEST_CASE("a file of 450 lines passes and one of 451 is found") {
  const auto passing = linesBeginningWith("// A.", 450);
  const auto tooLong = linesBeginningWith("// A.", 451);
  CHECK(filesTooLong({{"layers/a.cpp", passing}}).empty());
  CHECK(filesTooLong({{"layers/a.cpp", tooLong}}) ==
        std::vector<std::string>{"layers/a.cpp has 451 lines"});
  CHECK(filesTooLong({{"tests/layers/a.cpp", tooLong}}).empty());
}

TEST_CASE("test names that ctest cannot pass on are found") {
  const auto found = [](const std::vector<std::string>& lines) {
    return joined(unusableTestNames({{"tests/a.cpp", lines}}));
  };
  const std::string begin = "TEST_CASE(";
  CHECK(found({begin + "\"a plain sentence\") {"}) == "");
  CHECK(found({begin + "\"one, two\") {"}) == "tests/a.cpp: one, two\n");
  CHECK(found({begin + "\"an [index]\") {"}) == "tests/a.cpp: an [index]\n");
  CHECK(found({begin + "\"a \\\"quote\\\"\") {"}) == "tests/a.cpp: a \\\"quote\\\"\n");
  CHECK(found({begin, "    \"one; two\") {"}) == "tests/a.cpp: one; two\n");
  CHECK(found({"TEST_CASE_TEMPLATE(\"what?\", T, int) {"}) == "tests/a.cpp: what?\n");
}

}  // namespace torchette::structure

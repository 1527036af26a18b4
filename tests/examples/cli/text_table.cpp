// Rows of cells aligned in columns.
#include "examples/cli/text_table.h"

#include <doctest/doctest.h>

namespace torchette::cli {

TEST_CASE("columns are as wide as their widest cell and aligned as asked") {
  TextTable table({{"name", Alignment::left}, {"bytes"}, {"note", Alignment::left}});
  table.addRow({"a", "1", "short"});
  table.addRow({"longer", "1,000,000", ""});
  CHECK(table.toString() ==
        "name        bytes  note\n"
        "------------------------\n"
        "a               1  short\n"
        "longer  1,000,000\n");
}

TEST_CASE("a rule spans the table") {
  TextTable table({{"a", Alignment::left}, {"b"}});
  table.addRow({"1", "2"});
  table.addRule();
  table.addRow({"x", "3"});
  CHECK(table.toString() == "a  b\n----\n1  2\n----\nx  3\n");
}

TEST_CASE("columns with nothing but a title are dropped") {
  TextTable table({{"a", Alignment::left}, {"empty"}, {"b"}});
  table.addRow({"1", "", ""});
  table.addRule();
  table.addRow({"2", "", "3"});
  table.dropEmptyColumns();
  CHECK(table.toString() == "a  b\n----\n1\n----\n2  3\n");
}

}  // namespace torchette::cli

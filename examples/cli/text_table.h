// TextTable: rows of cells, aligned in columns.
#pragma once

#include <string>
#include <vector>

namespace torchette::cli {

enum class Alignment { left, right };

struct Column {
  std::string title;
  Alignment alignment = Alignment::right;
};

/// Two spaces stand between columns; no line ends with a space.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns);

  /// As many cells as there are columns.
  void addRow(std::vector<std::string> cells);
  /// A line of dashes, as under the header.
  void addRule();
  /// Drops columns that have nothing but a title.
  void dropEmptyColumns();

  /// Ends with a newline.
  std::string toString() const;

 private:
  using Row = std::vector<std::string>;

  std::vector<std::size_t> widths() const;
  std::string aligned(const Row& row, const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;  ///< a row without cells is a rule
};

}  // namespace torchette::cli

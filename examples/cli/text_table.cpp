// Aligning cells in columns.
#include "examples/cli/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace torchette::cli {

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

void TextTable::addRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

void TextTable::addRule() { rows_.emplace_back(); }

void TextTable::dropEmptyColumns() {
  for (auto column = std::ssize(columns_); column-- > 0;) {
    const bool isEmpty = std::ranges::all_of(rows_, [&](const Row& row) {
      return row.empty() || row[static_cast<std::size_t>(column)].empty();
    });
    if (!isEmpty) continue;
    columns_.erase(columns_.begin() + column);
    for (auto& row : rows_) {
      if (!row.empty()) row.erase(row.begin() + column);
    }
  }
}

std::string TextTable::toString() const {
  const auto columnWidths = widths();
  std::size_t lineWidth = 2 * (columns_.size() - 1);
  for (const auto width : columnWidths) lineWidth += width;
  const auto rule = std::string(lineWidth, '-') + "\n";

  Row titles;
  for (const auto& column : columns_) titles.push_back(column.title);
  auto text = aligned(titles, columnWidths) + rule;
  for (const auto& row : rows_) text += row.empty() ? rule : aligned(row, columnWidths);
  return text;
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    auto width = columns_[i].title.size();
    for (const auto& row : rows_) {
      if (!row.empty()) width = std::max(width, row[i].size());
    }
    result.push_back(width);
  }
  return result;
}

std::string TextTable::aligned(const Row& row, const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) line += "  ";
    const bool isLeft = columns_[i].alignment == Alignment::left;
    line += isLeft ? fmt::format("{:<{}}", row[i], widths[i])
                   : fmt::format("{:>{}}", row[i], widths[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace torchette::cli

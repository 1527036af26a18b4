// The report as a table: a row per module, a column per field.
#include <algorithm>
#include <array>

#include "examples/cli/byte_size.h"
#include "examples/cli/report_format.h"
#include "examples/cli/text_table.h"

namespace torchette::cli {

namespace {

constexpr std::array<const char*, 8> namedFields = {"output", "gradInput",  "finput", "fgradInput",
                                                    "weight", "gradWeight", "bias",   "gradBias"};
constexpr std::size_t otherColumn = namedFields.size();
constexpr std::size_t heldColumn = otherColumn + 1;
constexpr std::size_t columns = heldColumn + 1;

std::size_t columnOf(const std::string& field) {
  const auto* found = std::ranges::find(namedFields, field);
  return found == namedFields.end() ? otherColumn
                                    : static_cast<std::size_t>(found - namedFields.begin());
}

/// The tensors that one module holds in one column.
struct Cell {
  bool hasTensor = false;
  std::int64_t tensorBytes = 0;
  std::int64_t heldBytes = 0;  ///< see nn::FieldInspection

  std::string text() const {
    if (!hasTensor) return "";
    return (heldBytes < tensorBytes ? "=" : "") + humanBytes(tensorBytes);
  }
};

using Cells = std::array<Cell, columns>;

void add(Cell& cell, std::int64_t tensorBytes, std::int64_t heldBytes) {
  cell.hasTensor = true;
  cell.tensorBytes += tensorBytes;
  cell.heldBytes += heldBytes;
}

Cells cellsOf(const nn::ModuleInspection& module) {
  Cells cells;
  for (const auto& field : module.fields) {
    add(cells[columnOf(field.field)], field.bytes, field.heldBytes);
    add(cells[heldColumn], field.heldBytes, field.heldBytes);
  }
  return cells;
}

std::vector<Column> tableColumns() {
  std::vector<Column> result = {{"module", Alignment::left}};
  for (const auto* field : namedFields) result.push_back({field});
  result.push_back({"other"});
  result.push_back({"held"});
  return result;
}

std::vector<std::string> rowOf(const std::string& title, const Cells& cells) {
  std::vector<std::string> row = {title};
  for (const auto& cell : cells) row.push_back(cell.text());
  return row;
}

}  // namespace

std::string renderTable(const MemoryReport& report) {
  TextTable table(tableColumns());
  Cells sums;
  for (const auto& module : report.inspection.modules) {
    const auto cells = cellsOf(module);
    table.addRow(rowOf(module.path, cells));
    for (std::size_t column = 0; column < columns; ++column) {
      const auto& cell = cells[column];
      if (cell.hasTensor) add(sums[column], cell.heldBytes, cell.heldBytes);
    }
  }
  table.addRule();
  table.addRow(rowOf("held", sums));
  table.dropEmptyColumns();
  return table.toString() + "= shares a storage that another cell counts\n\n" +
         renderTotals(report);
}

}  // namespace torchette::cli

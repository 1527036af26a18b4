// The report as a table: a row per module, a column per field.
#include <algorithm>
#include <array>

#include "examples/cli/byte_size.h"
#include "examples/cli/report_format.h"
#include "examples/cli/storage_sharing.h"
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
  std::int64_t countedBytes = 0;  ///< see countedBytes()

  std::string text() const {
    if (!hasTensor) return "";
    return (countedBytes < tensorBytes ? "=" : "") + humanBytes(tensorBytes);
  }
};

using Cells = std::array<Cell, columns>;

void add(Cell& cell, std::int64_t tensorBytes, std::int64_t countedBytes) {
  cell.hasTensor = true;
  cell.tensorBytes += tensorBytes;
  cell.countedBytes += countedBytes;
}

Cells cellsOf(const nn::ModuleInspection& module, const std::vector<std::int64_t>& counted) {
  Cells cells;
  for (std::size_t i = 0; i < module.fields.size(); ++i) {
    const auto& field = module.fields[i];
    add(cells[columnOf(field.field)], field.bytes, counted[i]);
    add(cells[heldColumn], counted[i], counted[i]);
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
  const auto& modules = report.inspection.modules;
  const auto counted = countedBytes(report.inspection);
  Cells sums;
  for (std::size_t m = 0; m < modules.size(); ++m) {
    const auto cells = cellsOf(modules[m], counted[m]);
    table.addRow(rowOf(modules[m].path, cells));
    for (std::size_t column = 0; column < columns; ++column) {
      const auto& cell = cells[column];
      if (cell.hasTensor) add(sums[column], cell.countedBytes, cell.countedBytes);
    }
  }
  table.addRule();
  table.addRow(rowOf("held", sums));
  table.dropEmptyColumns();
  return table.toString() + "= shares a storage that another cell counts\n\n" +
         renderTotals(report);
}

}  // namespace torchette::cli

// Comparing two reports.
#include "examples/cli/report_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "examples/cli/json_text.h"

namespace torchette::cli {

namespace {

/// Counts what was compared and collects what differs.
class Comparer {
 public:
  void compare(const std::string& what, std::int64_t estimated, std::int64_t measured) {
    ++compared_;
    if (estimated != measured)
      differ(fmt::format("{}: estimated {}, measured {}", what, estimated, measured));
  }

  void compare(const nn::ModuleInspection& estimated, const nn::ModuleInspection& measured) {
    compare(measured.path + " fields", std::ssize(estimated.fields), std::ssize(measured.fields));
    for (std::size_t i = 0; i < std::min(estimated.fields.size(), measured.fields.size()); ++i) {
      const auto &a = estimated.fields[i], &b = measured.fields[i];
      const auto name = measured.path + " " + b.field;
      if (a.shape != b.shape) {
        differ(fmt::format("{}: estimated size {}, measured {}", name, a.shape.toString(),
                           b.shape.toString()));
      }
      compare(name + " bytes", a.bytes, b.bytes);
      compare(name + " storage bytes", a.storageBytes, b.storageBytes);
    }
  }

  void compare(const std::vector<LedgerEvent>& estimated,
               const std::vector<LedgerEvent>& measured) {
    compare("changes of the live bytes", std::ssize(estimated), std::ssize(measured));
    for (std::size_t i = 0; i < std::min(estimated.size(), measured.size()); ++i) {
      const auto name =
          fmt::format("live bytes after change {}, {} {}", i, measured[i].owner, measured[i].field);
      compare(name, estimated[i].liveBytes, measured[i].liveBytes);
    }
  }

  ReportComparison result(std::int64_t peakBytes) const {
    return {compared_, differences_, peakBytes};
  }

 private:
  void differ(std::string difference) { differences_.push_back(std::move(difference)); }

  std::int64_t compared_ = 0;
  std::vector<std::string> differences_;
};

}  // namespace

ReportComparison compareReports(const MemoryReport& estimated, const MemoryReport& measured) {
  Comparer comparer;
  const auto &a = estimated.inspection, &b = measured.inspection;
  comparer.compare("modules", std::ssize(a.modules), std::ssize(b.modules));
  for (std::size_t i = 0; i < std::min(a.modules.size(), b.modules.size()); ++i) {
    comparer.compare(a.modules[i], b.modules[i]);
  }
  comparer.compare("upper bound", a.totals.upperBoundBytes, b.totals.upperBoundBytes);
  comparer.compare("held", a.totals.heldBytes, b.totals.heldBytes);
  comparer.compare("workspace", a.totals.workspaceBytes, b.totals.workspaceBytes);
  comparer.compare("parameters", a.totals.parameterBytes, b.totals.parameterBytes);
  comparer.compare("live", estimated.liveBytes, measured.liveBytes);
  comparer.compare("peak", estimated.peakBytes, measured.peakBytes);
  comparer.compare(estimated.timeline, measured.timeline);
  return comparer.result(measured.peakBytes);
}

std::string comparisonAsText(const ReportComparison& comparison) {
  constexpr std::size_t shown = 10;
  const auto& differences = comparison.differences;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, differences.size()); ++i) {
    text += differences[i] + "\n";
  }
  if (differences.size() > shown) text += fmt::format("and {} more\n", differences.size() - shown);
  return text + fmt::format("difference: {} of {} compared numbers; peak {} bytes\n",
                            differences.size(), comparison.compared, comparison.peakBytes);
}

std::string comparisonAsJson(const ReportComparison& comparison) {
  return jsonText({{"compared", comparison.compared},
                   {"differences", comparison.differences},
                   {"peakBytes", comparison.peakBytes}});
}

}  // namespace torchette::cli

// Comparing two reports.
#include "examples/cli/report_comparison.h"

#include <fmt/format.h>

#include <algorithm>

namespace torchette::cli {

namespace {

/// Counts what was compared and collects what differs.
class Comparison {
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
    constexpr std::size_t shown = 10;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, differences_.size()); ++i)
      text += differences_[i] + "\n";
    if (differences_.size() > shown)
      text += fmt::format("and {} more\n", differences_.size() - shown);
    text += fmt::format("difference: {} of {} compared numbers; peak {} bytes\n",
                        differences_.size(), compared_, peakBytes);
    return {std::ssize(differences_), text};
  }

 private:
  void differ(std::string difference) { differences_.push_back(std::move(difference)); }

  std::int64_t compared_ = 0;
  std::vector<std::string> differences_;
};

}  // namespace

ReportComparison compareReports(const MemoryReport& estimated, const MemoryReport& measured) {
  Comparison comparison;
  const auto &a = estimated.inspection, &b = measured.inspection;
  comparison.compare("modules", std::ssize(a.modules), std::ssize(b.modules));
  for (std::size_t i = 0; i < std::min(a.modules.size(), b.modules.size()); ++i) {
    comparison.compare(a.modules[i], b.modules[i]);
  }
  comparison.compare("upper bound", a.totals.upperBoundBytes, b.totals.upperBoundBytes);
  comparison.compare("held", a.totals.heldBytes, b.totals.heldBytes);
  comparison.compare("workspace", a.totals.workspaceBytes, b.totals.workspaceBytes);
  comparison.compare("parameters", a.totals.parameterBytes, b.totals.parameterBytes);
  comparison.compare("live", estimated.liveBytes, measured.liveBytes);
  comparison.compare("peak", estimated.peakBytes, measured.peakBytes);
  comparison.compare(estimated.timeline, measured.timeline);
  return comparison.result(measured.peakBytes);
}

}  // namespace torchette::cli

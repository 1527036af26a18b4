// The table of report formats.
#include "examples/cli/report_format.h"

#include <algorithm>

#include "runtime/errors.h"

namespace torchette::cli {

const std::vector<ReportFormat>& reportFormats() {
  static const std::vector<ReportFormat> formats = {{"torch7", renderTorch7},
                                                    {"table", renderTable},
                                                    {"json", renderJson},
                                                    {"html", renderHtml},
                                                    {"trace", renderTrace}};
  return formats;
}

const ReportFormat& reportFormatNamed(const std::string& name) {
  const auto found = std::ranges::find(reportFormats(), name, &ReportFormat::name);
  if (found != reportFormats().end()) return *found;
  std::string names;
  for (const auto& format : reportFormats()) names += (names.empty() ? "" : ", ") + format.name;
  throw ArgumentError("", "there is no format '" + name + "'; the formats are " + names);
}

}  // namespace torchette::cli

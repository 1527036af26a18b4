// The report as one self-contained page: report.html with the JSON report put in.
#include "examples/cli/report_format.h"
#include "examples/cli/report_page.h"

namespace torchette::cli {

namespace {

/// "</script>" inside a string would end the element that holds the JSON; "<\/script>" means the
/// same there.
std::string escapedForScript(const std::string& json) {
  std::string escaped;
  for (const char character : json) {
    if (character == '/' && escaped.ends_with('<')) escaped += '\\';
    escaped += character;
  }
  return escaped;
}

}  // namespace

std::string renderHtml(const MemoryReport& report) {
  const std::string marker = "/*REPORT*/";
  std::string page = reportPage;
  return page.replace(page.find(marker), marker.size(), escapedForScript(renderJson(report)));
}

}  // namespace torchette::cli

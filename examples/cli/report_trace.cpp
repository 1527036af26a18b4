// The report as a Chrome trace: a counter of live bytes, and a slice for each module and pass.
// Opens in Perfetto.
#include <nlohmann/json.hpp>

#include "examples/cli/json_text.h"
#include "examples/cli/report_format.h"

namespace torchette::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int phaseThread = 1, layerThread = 2;

Json threadName(int thread, const std::string& name) {
  return {{"name", "thread_name"},
          {"ph", "M"},
          {"pid", 1},
          {"tid", thread},
          {"args", {{"name", name}}}};
}

/// A trace needs times: each change of the live bytes, and each begin and end of a pass, takes one
/// microsecond.
class TraceWriter {
 public:
  Json write(const MemoryReport& report) {
    auto mark = report.passes.begin();
    const auto& events = report.timeline;
    for (std::size_t i = 0; i <= events.size(); ++i) {
      for (; mark != report.passes.end() && mark->eventsBefore <= i; ++mark) add(*mark);
      if (i < events.size()) add(events[i]);
    }
    enterPhase("");
    return std::move(trace_);
  }

 private:
  void add(const LedgerEvent& event) {
    enterPhase(event.phase);
    trace_.push_back({{"name", "live bytes"},
                      {"ph", "C"},
                      {"pid", 1},
                      {"ts", now_++},
                      {"args", {{"live", event.liveBytes}}}});
  }

  void add(const PassMark& mark) {
    enterPhase(mark.phase);
    addEdge(mark.isBegin, mark.name, layerThread);
    ++now_;
  }

  /// "" ends the last phase.
  void enterPhase(const std::string& phase) {
    if (phase == phase_) return;
    if (!phase_.empty()) addEdge(false, phase_, phaseThread);
    if (!phase.empty()) addEdge(true, phase, phaseThread);
    phase_ = phase;
  }

  void addEdge(bool isBegin, const std::string& name, int thread) {
    trace_.push_back(
        {{"name", name}, {"ph", isBegin ? "B" : "E"}, {"pid", 1}, {"tid", thread}, {"ts", now_}});
  }

  Json trace_ = Json::array({threadName(phaseThread, "phases"), threadName(layerThread, "layers")});
  std::string phase_;
  std::size_t now_ = 0;
};

}  // namespace

std::string renderTrace(const MemoryReport& report) {
  return jsonText({{"traceEvents", TraceWriter().write(report)}, {"displayTimeUnit", "ms"}});
}

}  // namespace torchette::cli

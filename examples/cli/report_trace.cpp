// The report as a Chrome trace: a counter of live bytes, and a slice for each layer and pass. Opens
// in Perfetto.
#include <nlohmann/json.hpp>

#include "examples/cli/json_text.h"
#include "examples/cli/report_format.h"

namespace torchette::cli {

namespace {

using Json = nlohmann::ordered_json;

/// A trace needs times; the n-th event of the ledger stands at n microseconds.
Json counterAt(std::size_t number, const LedgerEvent& event) {
  return {{"name", "live bytes"},
          {"ph", "C"},
          {"pid", 1},
          {"ts", number},
          {"args", {{"live", event.liveBytes}}}};
}

Json sliceOf(const std::string& name, const std::string& category, int thread, std::size_t begin,
             std::size_t end) {
  return {{"name", name},  {"cat", category}, {"ph", "X"},          {"pid", 1},
          {"tid", thread}, {"ts", begin},     {"dur", end - begin}, {"args", Json::object()}};
}

Json threadName(int thread, const std::string& name) {
  return {{"name", "thread_name"},
          {"ph", "M"},
          {"pid", 1},
          {"tid", thread},
          {"args", {{"name", name}}}};
}

/// Adds a slice for each run of neighbouring events with the same nameOf(event).
template <class NameOf>
void addSlices(Json& trace, const std::vector<LedgerEvent>& events, int thread,
               const NameOf& nameOf) {
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= events.size(); ++i) {
    if (i < events.size() && nameOf(events[i]) == nameOf(events[begin])) continue;
    trace.push_back(sliceOf(nameOf(events[begin]), events[begin].phase, thread, begin, i));
    begin = i;
  }
}

}  // namespace

std::string renderTrace(const MemoryReport& report) {
  constexpr int phases = 1, layers = 2;
  auto trace = Json::array({threadName(phases, "phases"), threadName(layers, "layers")});
  const auto& events = report.timeline;
  for (std::size_t i = 0; i < events.size(); ++i) trace.push_back(counterAt(i, events[i]));
  if (!events.empty()) {
    addSlices(trace, events, phases, [](const LedgerEvent& event) { return event.phase; });
    addSlices(trace, events, layers,
              [](const LedgerEvent& event) { return event.owner + " " + event.phase; });
  }
  return jsonText({{"traceEvents", trace}, {"displayTimeUnit", "ms"}});
}

}  // namespace torchette::cli

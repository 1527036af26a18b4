// The report as one JSON document.
#include <nlohmann/json.hpp>

#include "examples/cli/json_text.h"
#include "examples/cli/report_format.h"

namespace torchette::cli {

namespace {

/// Keys stay in the order in which they are written here.
using Json = nlohmann::ordered_json;

Json toJson(const nn::FieldInspection& field) {
  return {{"field", field.field}, {"shape", field.shape.extents()}, {"dtype", nameOf(field.dtype)},
          {"bytes", field.bytes}, {"storage", field.storage},       {"heldBytes", field.heldBytes}};
}

Json toJson(const nn::ModuleInspection& module) {
  auto fields = Json::array();
  for (const auto& field : module.fields) fields.push_back(toJson(field));
  return {{"path", module.path},
          {"type", module.type},
          {"description", module.description},
          {"fields", std::move(fields)}};
}

Json totalsOf(const MemoryReport& report) {
  const auto& totals = report.inspection.totals;
  return {{"upperBoundBytes", totals.upperBoundBytes},
          {"heldBytes", totals.heldBytes},
          {"peakBytes", report.peakBytes},
          {"workspaceBytes", totals.workspaceBytes},
          {"parameterBytes", totals.parameterBytes},
          {"byField", Json(totals.heldBytesByField)}};
}

/// `bytes` is what the event adds to `live`: negative where bytes are freed.
Json toJson(const LedgerEvent& event, std::size_t number) {
  const bool isFree = event.kind == LedgerEvent::Kind::freed;
  return {{"event", number},
          {"phase", event.phase},
          {"path", event.owner},
          {"field", event.field},
          {"bytes", isFree ? -event.bytes : event.bytes},
          {"live", event.liveBytes}};
}

Json toJson(const CardMemory& card, std::int64_t ledgerBytes) {
  Json json = {{"afterContextBytes", card.afterContextBytes},
               {"nowBytes", card.nowBytes},
               {"ledgerBytes", ledgerBytes},
               {"differenceBytes", card.differenceBytes(ledgerBytes)}};
  if (card.beforeContextBytes) json["beforeContextBytes"] = *card.beforeContextBytes;
  return json;
}

}  // namespace

std::string renderJson(const MemoryReport& report) {
  const auto& run = report.run;
  Json document = {{"model", run.model},         {"backend", run.backend},
                   {"workspace", run.workspace}, {"share", report.share},
                   {"mode", run.mode},           {"input", run.input.extents()}};
  auto& modules = document["modules"] = Json::array();
  for (const auto& module : report.inspection.modules) modules.push_back(toJson(module));
  document["totals"] = totalsOf(report);
  if (run.isEstimate) document["estimate"] = true;
  if (report.plan) {
    document["plan"] = {{"arenaBytes", report.plan->arenaBytes},
                        {"largestLiveBytes", report.plan->largestLiveBytes}};
  }
  if (report.process) {
    document["process"] = {{"beforeBytes", report.process->before.bytes()},
                           {"residentBytes", report.process->now.bytes()},
                           {"fileBytes", report.process->now.fileBytes},
                           {"outsideBytes", report.process->outsideBytes()}};
  }
  if (report.card) document["card"] = toJson(*report.card, report.liveBytes);
  auto& timeline = document["timeline"] = Json::array();
  for (std::size_t i = 0; i < report.timeline.size(); ++i) {
    timeline.push_back(toJson(report.timeline[i], i));
  }
  return jsonText(document);
}

}  // namespace torchette::cli

// The report as a JSON document, made by hand and by the program.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "examples/cli/report_format.h"
#include "tests/examples/cli/program_run.h"
#include "tests/examples/cli/sample_report.h"

namespace torchette::cli {

using nlohmann::json;
using testing::runTorchette;
using testing::sampleReport;

namespace {

std::set<std::string> keysOf(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

json inspected(const std::string& arguments) {
  const auto run = runTorchette("inspect " + arguments + " --json");
  REQUIRE(run.status == 0);
  CHECK(run.errors.empty());
  return json::parse(run.output);
}

void checkTotals(const json& document) {
  const auto& totals = document["totals"];
  std::int64_t tensorBytes = 0;
  std::map<std::string, std::int64_t> byField;
  for (const auto& module : document["modules"]) {
    for (const auto& field : module["fields"]) {
      tensorBytes += field["bytes"].get<std::int64_t>();
      if (field["heldBytes"] > 0) byField[field["field"]] += field["heldBytes"].get<std::int64_t>();
      CHECK((field["storage"] == 0) == (field["bytes"] == 0));
    }
  }
  std::int64_t heldBytes = 0;
  for (const auto& [field, bytes] : byField) heldBytes += bytes;
  CHECK(totals["byField"] == json(byField));
  CHECK(totals["upperBoundBytes"] == tensorBytes);
  CHECK(totals["heldBytes"] == heldBytes);
  CHECK(totals["heldBytes"] <= totals["upperBoundBytes"]);
  CHECK(totals["heldBytes"] <= totals["peakBytes"]);
}

void checkTimeline(const json& document) {
  std::int64_t live = 0;
  std::int64_t peak = 0;
  std::int64_t number = 0;
  for (const auto& event : document["timeline"]) {
    CHECK(event["event"] == number++);
    live += event["bytes"].get<std::int64_t>();
    CHECK(event["live"] == live);
    peak = std::max(peak, live);
  }
  CHECK(document["totals"]["peakBytes"] == peak);
}

}  // namespace

TEST_CASE("the document has the keys that are promised and no other") {
  const auto document = json::parse(renderJson(sampleReport()));
  CHECK(keysOf(document) == std::set<std::string>{"model", "backend", "workspace", "share", "mode",
                                                  "input", "modules", "totals", "process",
                                                  "timeline"});
  CHECK(keysOf(document["modules"][0]) ==
        std::set<std::string>{"path", "type", "description", "fields"});
  CHECK(keysOf(document["modules"][0]["fields"][0]) ==
        std::set<std::string>{"field", "shape", "dtype", "bytes", "storage", "heldBytes"});
  CHECK(keysOf(document["totals"]) == std::set<std::string>{"upperBoundBytes", "heldBytes",
                                                            "peakBytes", "workspaceBytes",
                                                            "parameterBytes", "byField"});
  CHECK(keysOf(document["process"]) ==
        std::set<std::string>{"beforeBytes", "residentBytes", "fileBytes", "outsideBytes"});
  CHECK(keysOf(document["timeline"][0]) ==
        std::set<std::string>{"event", "phase", "path", "field", "bytes", "live"});
}

TEST_CASE("bytes freed are negative in the timeline") {
  const auto document = json::parse(renderJson(sampleReport()));
  CHECK(document["timeline"][1]["bytes"] == -400);
  CHECK(document["timeline"][2]["bytes"] == 400);
}

TEST_CASE("the memory of a card is one object and absent without a card") {
  auto report = sampleReport();
  CHECK(!json::parse(renderJson(report)).contains("card"));
  report.card = CardMemory{3000, 5048, 8048};
  const auto card = json::parse(renderJson(report))["card"];
  CHECK(card == json{{"beforeContextBytes", 3000},
                     {"afterContextBytes", 5048},
                     {"nowBytes", 8048},
                     {"ledgerBytes", 624},
                     {"differenceBytes", 2376}});
}

TEST_CASE("what the process occupies is absent where it is unknown") {
  auto report = sampleReport();
  report.process.reset();
  CHECK(!json::parse(renderJson(report)).contains("process"));
}

TEST_CASE("totals and timeline of an inspected network agree to the byte") {
  for (const char* arguments :
       {"lenet", "autoencoder", "lenet --workspace sample", "lenet --mode evaluate",
        "lenet --input 0x1x28x28", "'nn.SpatialConvolution(3,4,4,4,2,2,1,1)' --input 16x3x32x32"}) {
    CAPTURE(arguments);
    const auto document = inspected(arguments);
    checkTotals(document);
    checkTimeline(document);
  }
}

TEST_CASE("live bytes end as what is held and what was fed to the network") {
  const auto document = inspected("lenet");
  const std::int64_t inputBytes = 16 * 28 * 28 * 4;
  const std::int64_t gradOutputBytes = 16 * 10 * 4;
  CHECK(document["timeline"].back()["live"] ==
        document["totals"]["heldBytes"].get<std::int64_t>() + inputBytes + gradOutputBytes);
}

TEST_CASE("workspace and parameter bytes are those of the formula") {
  const auto totals =
      inspected("'nn.SpatialConvolution(3,4,4,4,2,2,1,1)' --input 16x3x32x32")["totals"];
  CHECK(totals["workspaceBytes"] == 2 * 16 * 48 * 256 * 4);
  CHECK(totals["parameterBytes"] == (4 * 3 * 4 * 4 + 4) * 4);
  CHECK(totals["byField"]["finput"] == 16 * 48 * 256 * 4);
}

TEST_CASE("phases of the timeline follow what the program does") {
  std::vector<std::string> phases;
  const auto document = inspected("lenet");
  for (const auto& event : document["timeline"]) {
    if (phases.empty() || phases.back() != event["phase"]) phases.push_back(event["phase"]);
  }
  CHECK(phases == std::vector<std::string>{"build", "input", "forward", "backward"});
}

TEST_CASE("the document says what was run") {
  const auto document = inspected("lenet --workspace sample --mode evaluate --input 2x1x28x28");
  CHECK(document["model"] == "lenet");
  CHECK(document["backend"] == "cpu");
  CHECK(document["workspace"] == "sample");
  CHECK(document["share"] == "off");
  CHECK(document["mode"] == "evaluate");
  CHECK(document["input"] == json{2, 1, 28, 28});
  const auto& process = document["process"];
  CHECK(process["residentBytes"] > process["outsideBytes"]);
  CHECK(process["residentBytes"] > process["beforeBytes"]);
  CHECK(process["beforeBytes"] > 0);
  CHECK(process["fileBytes"] < process["outsideBytes"]);
}

}  // namespace torchette::cli

// torchette estimate, as people run it.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "layers/models/built_in.h"
#include "tests/examples/cli/program_run.h"
#include "tests/examples/temporary_directory.h"
#include "tests/support/golden.h"

namespace torchette::cli {

using nlohmann::json;
using testing::isOneLine;
using testing::readFile;
using testing::runTorchette;
using testing::TemporaryDirectory;

namespace {

json estimateOf(const std::string& arguments) {
  const auto run = runTorchette("estimate " + arguments + " --json");
  CHECK(run.status == 0);
  return json::parse(run.output);
}

/// Sizes of a module's tensors by field, without empty ones.
std::map<std::string, json> sizesOf(const json& module) {
  std::map<std::string, json> sizes;
  for (const auto& field : module.at("fields")) {
    if (field.at("bytes") != 0) sizes[field.at("field")] = field.at("shape");
  }
  return sizes;
}

/// The same of a layer in what Torch7 measured.
std::map<std::string, json> goldenSizesOf(const json& layer) {
  std::map<std::string, json> sizes;
  for (const auto& [name, tensor] : layer.items()) {
    if (tensor.is_object() && !tensor.at("shape").empty()) sizes[name] = tensor.at("shape");
  }
  return sizes;
}

json traceOf(const std::string& arguments) {
  const auto run = runTorchette("estimate " + arguments + " --format trace");
  CHECK(run.status == 0);
  return json::parse(run.output).at("traceEvents");
}

/// Names of the slices in the order in which they end. Fails the test unless slices of one thread
/// nest and time does not go back.
std::vector<std::string> slicesOf(const json& trace) {
  std::map<int, std::vector<std::string>> open;  // by thread
  std::vector<std::string> slices;
  std::int64_t now = 0;
  for (const auto& event : trace) {
    const std::string kind = event.at("ph");
    if (kind != "B" && kind != "E") continue;
    CHECK(event.at("ts") >= now);
    now = event.at("ts");
    auto& thread = open[event.at("tid")];
    if (kind == "B") {
      thread.push_back(event.at("name"));
      continue;
    }
    REQUIRE(!thread.empty());
    CHECK(event.at("name") == thread.back());
    slices.push_back(thread.back());
    thread.pop_back();
  }
  for (const auto& [thread, names] : open) CHECK(names.empty());
  return slices;
}

json fieldOf(const json& report, const std::string& name) {
  for (const auto& field : report.at("modules").at(0).at("fields")) {
    if (field.at("field") == name) return field;
  }
  return {};
}

}  // namespace

TEST_CASE("the estimate of vgg-a is what Torch7 measured layer by layer") {
  const auto golden = testing::loadGolden("mem_vggA_b16.json");
  const auto report = estimateOf("vgg-a --input 16x3x224x224 --workspace batch");
  CHECK(report.at("totals").at("heldBytes") == golden.at("unique_storage_bytes_total"));
  REQUIRE(report.at("modules").size() == golden.at("layers").size());
  for (std::size_t i = 0; i < report.at("modules").size(); ++i) {
    const auto& module = report.at("modules").at(i);
    CAPTURE(module.at("path").get<std::string>());
    CHECK(sizesOf(module) == goldenSizesOf(golden.at("layers").at(i)));
  }
}

TEST_CASE("the workspaces of large convolutions are estimated to the byte") {
  const std::string wide = "'nn.SpatialConvolution(64,3,9,9,1,1,4,4)' --input 16x64x224x224";
  const auto byBatch = estimateOf(wide);
  CHECK(fieldOf(byBatch, "finput").at("bytes") == 16'647'192'576);
  CHECK(fieldOf(byBatch, "fgradInput").at("bytes") == 16'647'192'576);
  CHECK(fieldOf(estimateOf(wide + " --workspace sample"), "finput").at("bytes") == 1'040'449'536);
  const auto tall = estimateOf(
      "'nn.SpatialConvolution(64,64,3,3,1,1,1,1)' --input 1x64x1024x2048 --mode evaluate");
  CHECK(fieldOf(tall, "finput").at("bytes") == 4'831'838'208);
  CHECK(fieldOf(tall, "output").at("bytes") == 536'870'912);
}

TEST_CASE("the estimate differs from the measurement in nothing") {
  for (const std::string arguments :
       {"lenet", "lenet --mode evaluate", "lenet --workspace sample --optimizer adam",
        "autoencoder --optimizer sgd", "autoencoder --backend simulated",
        "autoencoder --mode evaluate --share workspace", "lenet --mode evaluate --share plan"}) {
    CAPTURE(arguments);
    const auto run = runTorchette("estimate " + arguments + " --compare");
    CHECK(run.status == 0);
    CHECK(run.output.find("difference: 0 of ") != std::string::npos);
  }
}

TEST_CASE("an estimate for a GPU needs no GPU and tells no process") {
  const auto report = estimateOf("lenet --backend cuda");
  CHECK(report.at("backend") == "cuda");
  CHECK(report.at("workspace") == "sample");
  CHECK(report.at("estimate") == true);
  CHECK(!report.contains("process"));
}

TEST_CASE("sharing in training is refused with the reason and a way out") {
  for (const std::string share : {"workspace", "plan"}) {
    CAPTURE(share);
    const auto run = runTorchette("inspect lenet --share " + share);
    CHECK(run.status == 1);
    CHECK(isOneLine(run.errors));
    CHECK(run.errors.find("put the network in evaluate mode first") != std::string::npos);
  }
}

TEST_CASE("a plan takes no more than the largest live set and two hundredths") {
  for (const auto& model : nn::builtInModels()) {
    for (const std::int64_t samples : {1, 16, 128}) {
      const auto network =
          std::string(model.name) + " --input " + model.sampleShape.inserted(0, samples).toString();
      CAPTURE(network);
      const auto plan = estimateOf(network + " --mode evaluate --share plan").at("plan");
      const auto arenaBytes = plan.at("arenaBytes").get<std::int64_t>();
      const auto largestLiveBytes = plan.at("largestLiveBytes").get<std::int64_t>();
      CHECK(arenaBytes >= largestLiveBytes);
      CHECK(arenaBytes * 50 <= largestLiveBytes * 51);
    }
  }
}

TEST_CASE("a comparison can be had as a document and in a file") {
  const TemporaryDirectory directory;
  const auto file = directory / "comparison.json";
  const auto run = runTorchette("estimate lenet --compare --json --output '" + file.string() + "'");
  CHECK(run.status == 0);
  CHECK(run.output.empty());
  const auto comparison = json::parse(readFile(file));
  CHECK(comparison.at("compared") > 100);
  CHECK(comparison.at("differences") == json::array());
  CHECK(comparison.at("peakBytes") == estimateOf("lenet").at("totals").at("peakBytes"));
}

TEST_CASE("a comparison is not a report and so takes no format of one") {
  const auto run = runTorchette("estimate lenet --compare --format html");
  CHECK(run.status == 2);
  CHECK(isOneLine(run.errors));
  CHECK(run.errors.find("--format") != std::string::npos);
}

TEST_CASE("the trace counts live bytes event by event") {
  const auto arguments = "lenet --mode evaluate --share plan";
  std::vector<std::int64_t> expected, counted;
  const auto report = estimateOf(arguments);
  for (const auto& event : report.at("timeline")) expected.push_back(event.at("live"));
  for (const auto& event : traceOf(arguments)) {
    if (event.at("ph") == "C") counted.push_back(event.at("args").at("live"));
  }
  CHECK(counted == expected);
}

TEST_CASE("the trace has one slice for each module and pass") {
  const auto slices = slicesOf(traceOf("lenet"));
  const auto modules = estimateOf("lenet").at("modules");
  for (const auto& module : modules) {
    for (const char* pass : {"updateOutput", "updateGradInput", "accGradParameters"}) {
      const auto name = module.at("path").get<std::string>() + " " + pass;
      CAPTURE(name);
      CHECK(std::ranges::count(slices, name) == 1);
    }
  }
  const std::vector<std::string> phases{"build", "input", "forward", "backward"};
  for (const auto& phase : phases) CHECK(std::ranges::count(slices, phase) == 1);
  CHECK(slices.size() == 3 * modules.size() + phases.size());
}

TEST_CASE("the trace of planned inference has a slice for each module") {
  const auto slices = slicesOf(traceOf("lenet --mode evaluate --share plan"));
  const auto modules = estimateOf("lenet").at("modules");
  for (const auto& module : modules) {
    const auto name = module.at("path").get<std::string>() + " updateOutput";
    CAPTURE(name);
    CHECK(std::ranges::count(slices, name) >= 1);
  }
}

}  // namespace torchette::cli

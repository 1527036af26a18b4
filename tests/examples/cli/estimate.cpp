// torchette estimate, as people run it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/examples/cli/program_run.h"
#include "tests/support/golden.h"

namespace torchette::cli {

using nlohmann::json;
using testing::isOneLine;
using testing::runTorchette;

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
  for (const std::string model : {"lenet", "autoencoder", "vgg-a"}) {
    CAPTURE(model);
    const auto plan = estimateOf(model + " --mode evaluate --share plan").at("plan");
    const auto arenaBytes = plan.at("arenaBytes").get<std::int64_t>();
    const auto largestLiveBytes = plan.at("largestLiveBytes").get<std::int64_t>();
    CHECK(arenaBytes >= largestLiveBytes);
    CHECK(arenaBytes * 50 <= largestLiveBytes * 51);
  }
}

TEST_CASE("training past the memory limit is refused with what would fit") {
  const auto run = runTorchette("train lenet --data synthetic --memory-limit 20MB");
  CHECK(run.status == 1);
  CHECK(isOneLine(run.errors));
  for (const char* words :
       {"the limit is 20,000,000", "--workspace sample would need", "--batch "}) {
    CAPTURE(words);
    CHECK(run.errors.find(words) != std::string::npos);
  }
}

TEST_CASE("the trace counts live bytes and has a slice per layer and pass") {
  const auto trace = json::parse(runTorchette("estimate lenet --format trace").output);
  std::size_t counters = 0;
  bool hasBackward = false;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") == "C") ++counters;
    hasBackward = hasBackward || event.at("name") == "net/conv2 backward";
  }
  CHECK(counters == estimateOf("lenet").at("timeline").size());
  CHECK(hasBackward);
}

}  // namespace torchette::cli

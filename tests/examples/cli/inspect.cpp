// torchette inspect, as people run it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/examples/cli/program_run.h"
#include "tests/examples/temporary_directory.h"

namespace torchette::cli {

using testing::hasLine;
using testing::isOneLine;
using testing::readFile;
using testing::runScript;
using testing::runTorchette;
using testing::TemporaryDirectory;
using testing::writeFile;

namespace {

const std::string convolution =
    "inspect 'nn.SpatialConvolution(3,4,4,4,2,2,1,1)' --input 16x3x32x32";
const std::string fullConvolution =
    "inspect 'nn.SpatialFullConvolution(4,3,4,4,2,2,1,1)' --input 16x4x16x16";

void checkFields(const std::string& arguments, const std::vector<std::string>& lines) {
  const auto run = runTorchette(arguments);
  CHECK(run.status == 0);
  CHECK(run.errors.empty());
  for (const auto& line : lines) {
    CAPTURE(line);
    CHECK(hasLine(run.output, "  " + line));
  }
}

}  // namespace

TEST_CASE("a convolution holds columns of the whole batch on the cpu") {
  checkFields(
      convolution,
      {"output : FloatTensor - size: 16x4x16x16", "gradInput : FloatTensor - size: 16x3x32x32",
       "finput : FloatTensor - size: 16x48x256", "fgradInput : FloatTensor - size: 16x48x256",
       "weight : FloatTensor - size: 4x3x4x4", "gradWeight : FloatTensor - size: 4x3x4x4",
       "bias : FloatTensor - size: 4", "gradBias : FloatTensor - size: 4"});
}

TEST_CASE("a convolution that works by sample holds columns of one sample and a plane of ones") {
  checkFields(convolution + " --workspace sample",
              {"finput : FloatTensor - size: 48x256", "fgradInput : FloatTensor - size: 16x16"});
}

TEST_CASE("on a GPU backend a convolution holds CudaTensors and columns of one sample") {
  for (const auto& name : testing::availableBackends()) {
    if (name == "cpu") continue;
    CAPTURE(name);
    checkFields(
        convolution + " --backend " + name,
        {"output : CudaTensor - size: 16x4x16x16", "gradInput : CudaTensor - size: 16x3x32x32",
         "finput : CudaTensor - size: 48x256", "fgradInput : CudaTensor - size: 16x16",
         "weight : CudaTensor - size: 4x3x4x4", "gradWeight : CudaTensor - size: 4x3x4x4",
         "bias : CudaTensor - size: 4", "gradBias : CudaTensor - size: 4"});
  }
}

TEST_CASE("the strategy named default is that of the backend") {
  checkFields(convolution + " --workspace default", {"finput : FloatTensor - size: 16x48x256"});
}

TEST_CASE("a full convolution works by sample either way") {
  const std::vector<std::string> lines = {
      "output : FloatTensor - size: 16x3x32x32", "gradInput : FloatTensor - size: 16x4x16x16",
      "finput : FloatTensor - size: 48x256", "fgradInput : FloatTensor - size: 32x32"};
  checkFields(fullConvolution, lines);
  checkFields(fullConvolution + " --workspace batch", lines);
  checkFields(fullConvolution + " --workspace sample", lines);
}

TEST_CASE("evaluate runs no backward") {
  checkFields(convolution + " --mode evaluate",
              {"output : FloatTensor - size: 16x4x16x16", "gradInput : FloatTensor - empty"});
}

TEST_CASE("a built in model is shown with a batch of sixteen unless told otherwise") {
  checkFields("inspect lenet", {"output : FloatTensor - size: 16x20x24x24",
                                "indices : LongTensor - size: 16x20x12x12"});
  checkFields("inspect lenet --input 2x1x28x28", {"output : FloatTensor - size: 2x20x24x24"});
}

TEST_CASE("one layer of an expression follows the other") {
  const auto run = runTorchette("inspect 'nn.Linear(4,3); nn.Tanh()' --input 2x4");
  CHECK(run.status == 0);
  CHECK(run.output.find("net/1: nn.Linear(4 -> 3)\n") < run.output.find("net/2: nn.Tanh\n"));
}

TEST_CASE("the table has a row per layer and is not wider than 120 columns") {
  const auto run = runTorchette("inspect lenet --format table");
  CHECK(run.status == 0);
  std::size_t begin = 0;
  for (const char* layer : {"net ", "net/conv1 ", "net/pool1 ", "net/fc2 ", "held "}) {
    CHECK(run.output.find("\n" + std::string(layer)) != std::string::npos);
  }
  while (begin < run.output.size()) {
    const auto end = run.output.find('\n', begin);
    CHECK(end - begin <= 120);
    begin = end + 1;
  }
}

TEST_CASE("json is short for format json") {
  const auto asJson = [](const std::string& option) {
    auto document = nlohmann::json::parse(runTorchette("inspect lenet " + option).output);
    document.erase("process");
    return document;
  };
  CHECK(asJson("--json") == asJson("--format json"));
}

TEST_CASE("a report goes to a file as a whole and nothing to stdout") {
  const TemporaryDirectory directory;
  const auto file = directory / "report.json";
  writeFile(file, "old");
  const auto run = runTorchette("inspect lenet --json -o '" + file.string() + "'");
  CHECK(run.status == 0);
  CHECK(run.output.empty());
  CHECK(nlohmann::json::parse(readFile(file))["model"] == "lenet");
  CHECK(directory.fileCount() == 1);
}

TEST_CASE("a report that cannot be written is refused before the work is done") {
  const auto run = runTorchette("inspect lenet -o /nowhere/report.txt");
  CHECK(run.status == 1);
  CHECK(isOneLine(run.errors));
  CHECK(run.errors.find("/nowhere/report.txt: cannot be written") != std::string::npos);
}

TEST_CASE("a memory limit that is too small says who asked for what and who holds most") {
  const auto run = runTorchette("inspect lenet --memory-limit 5MB");
  CHECK(run.status == 1);
  CHECK(run.output.empty());
  CHECK(isOneLine(run.errors));
  for (const char* words : {"net/conv1: output of size 16x20x24x24 needs 737280 bytes", "are live",
                            "the limit is 5000000",
                            "net/fc1 weight 1600000, net/fc1 gradWeight 1600000, net/conv1 "
                            "finput 921600",
                            "workspace strategy sample"}) {
    CAPTURE(words);
    CHECK(run.errors.find(words) != std::string::npos);
  }
}

TEST_CASE("the peak is the smallest memory limit that suffices") {
  const auto document = nlohmann::json::parse(runTorchette("inspect lenet --json").output);
  const std::int64_t peak = document["totals"]["peakBytes"];
  CHECK(runTorchette("inspect lenet --memory-limit " + std::to_string(peak)).status == 0);
  CHECK(runTorchette("inspect lenet --memory-limit " + std::to_string(peak - 1)).status == 1);
}

TEST_CASE("an input that does not fit fails with one line that says what was expected") {
  const auto run = runTorchette("inspect 'nn.Linear(4,2)' --input 3x5");
  CHECK(run.status == 1);
  CHECK(isOneLine(run.errors));
  CHECK(run.errors.starts_with("torchette: net: "));
  CHECK(run.errors.find("3x5") != std::string::npos);
}

TEST_CASE("an input that no memory holds fails with one line") {
  const auto run = runTorchette("inspect 'nn.Tanh()' --input 1000000000000x1000");
  CHECK(run.status == 1);
  CHECK(isOneLine(run.errors));
  CHECK(run.errors.find("4000000000000000 bytes") != std::string::npos);
}

TEST_CASE("a reader that goes away is no error") {
  const auto run = runScript("\"$torchette\" inspect lenet; echo $? >&2");
  const auto closed = runScript("{ \"$torchette\" inspect lenet; echo $? >&2; } | true");
  CHECK(run.errors == "0\n");
  CHECK(closed.errors == "0\n");
}

TEST_CASE("an error keeps its status where stderr is closed") {
  CHECK(runScript("\"$torchette\" inspect lenet --memory-limit 1 2>&-").status == 1);
  CHECK(runScript("\"$torchette\" inspect lenet --bogus 2>/dev/full").status == 2);
}

TEST_CASE("a full disk behind stdout fails with one line") {
  const auto run = runScript("\"$torchette\" inspect lenet >/dev/full");
  CHECK(run.status == 1);
  CHECK(isOneLine(run.errors));
  CHECK(run.errors.find("standard output: cannot write") != std::string::npos);
}

}  // namespace torchette::cli

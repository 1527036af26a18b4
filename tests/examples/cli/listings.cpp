// Help, version, models and backends.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/examples/cli/program_run.h"

namespace torchette::cli {

using testing::hasLine;
using testing::runTorchette;

TEST_CASE("help on each level shows an example and ends well") {
  const std::pair<std::string, std::string> pages[] = {
      {"--help", "\nExamples:\n  torchette train lenet"},
      {"train --help", "\nExamples:\n  torchette train lenet"},
      {"inspect --help", "\nExamples:\n  torchette inspect lenet"},
      {"models --help", "\nExamples:\n  torchette models"},
      {"backends --help", "\nExamples:\n  torchette backends"}};
  for (const auto& page : pages) {
    CAPTURE(page.first);
    const auto run = runTorchette(page.first);
    CHECK(run.status == 0);
    CHECK(run.errors.empty());
    CHECK(run.output.find(page.second) != std::string::npos);
  }
}

TEST_CASE("the version is that of the project") {
  const auto run = runTorchette("--version");
  CHECK(run.status == 0);
  CHECK(run.output.starts_with("torchette "));
  CHECK(std::isdigit(static_cast<unsigned char>(run.output[10])) != 0);
}

TEST_CASE("models are listed with parameters and input") {
  const auto run = runTorchette("models");
  CHECK(run.status == 0);
  CHECK(hasLine(run.output, "lenet            431,080  1x28x28    LeNet 20-50-500, 10 classes"));
  CHECK(run.output.find("\nautoencoder ") != std::string::npos);
}

TEST_CASE("models as json are one document") {
  const auto models = nlohmann::json::parse(runTorchette("models --json").output);
  CHECK(models[0]["name"] == "lenet");
  CHECK(models[0]["parameters"] == 431'080);
  CHECK(models[0]["sampleShape"] == nlohmann::json{1, 28, 28});
}

TEST_CASE("backends are listed with their lanes or why they are not available") {
  const auto run = runTorchette("backends");
  CHECK(run.status == 0);
  CHECK(run.output.find("\ncpu        available ") != std::string::npos);
  CHECK(run.output.find("\nsimulated  available ") != std::string::npos);
  CHECK(run.output.find("\ncuda ") != std::string::npos);
  for (const auto& backend : nlohmann::json::parse(runTorchette("backends --json").output)) {
    CAPTURE(backend["name"]);
    CHECK(backend["detail"] != "");
    CHECK(backend.contains("lanes") == backend["available"]);
  }
}

TEST_CASE("a backend that is not available is refused with status 1 and the reason") {
  const auto backends = nlohmann::json::parse(runTorchette("backends --json").output);
  for (const auto& backend : backends) {
    if (backend["available"]) continue;
    const auto name = backend["name"].get<std::string>();
    const auto run = runTorchette("inspect lenet --backend " + name);
    CHECK(run.status == 1);
    CHECK(run.output.empty());
    CHECK(run.errors ==
          "torchette: " + name + " backend: " + backend["detail"].get<std::string>() + "\n");
  }
}

}  // namespace torchette::cli

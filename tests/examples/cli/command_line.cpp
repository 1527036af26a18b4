// A wrong command line: status 2 and one line that names the option.
#include <doctest/doctest.h>

#include "tests/examples/cli/program_run.h"

namespace torchette::cli {

using testing::isOneLine;
using testing::runTorchette;

namespace {

void checkMisuse(const std::string& arguments, const std::string& words) {
  CAPTURE(arguments);
  const auto run = runTorchette(arguments);
  CAPTURE(run.errors);
  CHECK(run.status == 2);
  CHECK(run.output.empty());
  CHECK(isOneLine(run.errors));
  CHECK(run.errors.find(words) != std::string::npos);
  CHECK(run.errors.find(" --help") != std::string::npos);
}

}  // namespace

TEST_CASE("a wrong value is refused with the name of its option") {
  checkMisuse("inspect lenet --input 16xfoo", "--input: '16xfoo'");
  checkMisuse("inspect lenet --memory-limit 5XB", "--memory-limit: '5XB'");
  checkMisuse("inspect lenet --backend abacus", "--backend: there is no backend 'abacus'");
  checkMisuse("inspect lenet --workspace all", "--workspace: there is no workspace strategy 'all'");
  checkMisuse("inspect lenet --mode dreaming", "--mode: there is no mode 'dreaming'");
  checkMisuse("inspect lenet --format xml", "--format: there is no format 'xml'");
  checkMisuse("inspect lenet --threads 0", "--threads: '0'");
  checkMisuse("inspect lenet --seed -1", "--seed: '-1'");
  checkMisuse("train lenet --epochs 0", "--epochs: '0'");
  checkMisuse("train lenet --batch x", "--batch: 'x'");
  checkMisuse("train lenet --optimizer luck", "--optimizer: 'luck' is not sgd or adam");
  checkMisuse("train lenet --learning-rate 0", "--learning-rate: '0'");
  checkMisuse("train lenet --momentum 1", "--momentum: '1'");
  checkMisuse("train lenet --weight-decay -1", "--weight-decay: '-1'");
  checkMisuse("train lenet --limit 0", "--limit: '0'");
  checkMisuse("train lenet --data cats", "--data: 'cats'");
  checkMisuse("train lenet --inspect=xml", "--inspect: xml");
}

TEST_CASE("what is unknown or missing is named") {
  checkMisuse("", "a subcommand is needed: train, inspect, estimate, bench, models, backends");
  checkMisuse("fly", "fly");
  checkMisuse("inspect", "MODEL is required");
  checkMisuse("inspect lenet --bogus", "--bogus");
  checkMisuse("inspect lenet --input", "--input");
}

TEST_CASE("options that exclude each other are named") {
  checkMisuse("inspect lenet --json --format table", "--format excludes --json");
  checkMisuse("train lenet --data-dir x --data synthetic", "--data excludes --data-dir");
  checkMisuse("train lenet --data synthetic --optimizer adam --momentum 0.9", "--momentum: ");
}

TEST_CASE("a model that cannot be made is refused with what can") {
  checkMisuse("inspect tortoise", "MODEL: there is no model 'tortoise'; built in are lenet");
  checkMisuse("inspect 'nn.LSTM(3)'", "MODEL: character 1 of 'nn.LSTM(3)': nn.LSTM");
  checkMisuse("train tortoise --data synthetic", "MODEL: there is no model 'tortoise'");
}

TEST_CASE("an expression needs an input to be inspected") {
  checkMisuse("inspect 'nn.Linear(4,2)'", "--input: needed");
}

TEST_CASE("the line points to the help of the subcommand") {
  CHECK(runTorchette("inspect lenet --bogus").errors.ends_with("see torchette inspect --help\n"));
  CHECK(runTorchette("--bogus").errors.ends_with("see torchette --help\n"));
}

}  // namespace torchette::cli

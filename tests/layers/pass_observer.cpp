// A network tells its observer of each pass of each module.
#include "layers/pass_observer.h"

#include <doctest/doctest.h>

#include "layers/models/expression.h"
#include "runtime/errors.h"
#include "tests/layers/layer_support.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

using Names = std::vector<std::string>;

/// Writes down what it is told, e.g. "+net/1 updateOutput" and "-net/1 updateOutput".
class Notes : public nn::PassObserver {
 public:
  void beginPass(const std::string& path, nn::Pass pass) override { note("+", path, pass); }
  void endPass(const std::string& path, nn::Pass pass) noexcept override { note("-", path, pass); }

  Names names;

 private:
  void note(const std::string& sign, const std::string& path, nn::Pass pass) {
    static const Names passes{"updateOutput", "updateGradInput", "accGradParameters"};
    names.push_back(sign + path + " " + passes.at(static_cast<std::size_t>(pass)));
  }
};

std::unique_ptr<nn::Module> observed(const std::shared_ptr<Backend>& backend,
                                     const std::string& expression,
                                     const std::shared_ptr<Notes>& notes) {
  auto context = contextOn(backend);
  context.observer = notes;
  return nn::moduleFromExpression(expression, context);
}

}  // namespace

TEST_CASE("passes are told in their order and nest as modules do") {
  FOR_EACH_BACKEND(backend) {
    const auto notes = std::make_shared<Notes>();
    const auto network = observed(backend, "nn.Sequential():add(nn.Linear(2,2))", notes);
    const auto input = randomTensor(*backend, {1, 2}, 1);
    const auto output = network->forward(input);
    CHECK(notes->names == Names{"+net updateOutput", "+net/1 updateOutput", "-net/1 updateOutput",
                                "-net updateOutput"});
    notes->names.clear();
    network->backward(input, output);
    CHECK(notes->names == Names{"+net updateGradInput", "+net/1 updateGradInput",
                                "-net/1 updateGradInput", "-net updateGradInput",
                                "+net accGradParameters", "+net/1 accGradParameters",
                                "-net/1 accGradParameters", "-net accGradParameters"});
  }
}

TEST_CASE("the end of a pass that throws is told as well") {
  FOR_EACH_BACKEND(backend) {
    const auto notes = std::make_shared<Notes>();
    const auto network = observed(backend, "nn.Linear(2,2)", notes);
    checkThrows<ShapeError>([&] { network->forward(randomTensor(*backend, {1, 3}, 1)); }, {"net"});
    CHECK(notes->names == Names{"+net updateOutput", "-net updateOutput"});
  }
}

}  // namespace torchette::testing

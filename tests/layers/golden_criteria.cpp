// Criteria compute what Torch7 computed.
#include <doctest/doctest.h>

#include "layers/criteria/bce_criterion.h"
#include "layers/criteria/cross_entropy_criterion.h"
#include "layers/criteria/mse_criterion.h"
#include "tests/layers/golden_case.h"
#include "tests/support/golden.h"

namespace torchette::testing {

namespace {

using nlohmann::json;

std::unique_ptr<nn::Criterion> makeCriterion(const nn::Context& context, const json& golden) {
  const auto name = golden.at("criterion").get<std::string>();
  const bool sizeAverage = golden.at("sizeAverage");
  std::vector<float> weights;
  if (golden.contains("weights")) weights = goldenFloats(golden.at("weights").at("data"));
  if (name == "nn.ClassNLLCriterion") {
    return nn::build<nn::ClassNLLCriterion>("criterion", context, weights, sizeAverage);
  }
  if (name == "nn.CrossEntropyCriterion") {
    return nn::build<nn::CrossEntropyCriterion>("criterion", context, weights, sizeAverage);
  }
  if (name == "nn.BCECriterion") {
    return nn::build<nn::BCECriterion>("criterion", context, weights, sizeAverage);
  }
  REQUIRE(name == "nn.MSECriterion");
  return nn::build<nn::MSECriterion>("criterion", context, sizeAverage);
}

/// Torch7's class numbers count from 1; a single one is a number.
Tensor classTarget(Backend& backend, const json& target) {
  std::vector<std::int64_t> classes;
  if (target.is_number()) {
    classes.push_back(target.get<std::int64_t>() - 1);
  } else {
    for (const auto& label : target.at("data")) classes.push_back(label.get<std::int64_t>() - 1);
  }
  return Tensor::fromValues(backend.allocator(), {static_cast<std::int64_t>(classes.size())},
                            classes);
}

void checkCriterion(const std::shared_ptr<Backend>& backend, const std::string& fileName,
                    bool hasClasses) {
  INFO("file ", fileName);
  const auto golden = loadGolden(fileName);
  const auto criterion = makeCriterion(contextOn(backend), golden);
  const auto input = goldenTensor(backend->allocator(), golden.at("input"));
  const auto target = hasClasses ? classTarget(*backend, golden.at("target"))
                                 : goldenTensor(backend->allocator(), golden.at("target"));
  CHECK(criterion->type() == golden.at("criterion").get<std::string>());
  const double expected = golden.at("output");
  CHECK(criterion->forward(input, target) ==
        doctest::Approx(expected).epsilon(goldenTolerance).scale(0));
  CHECK(criterion->output == criterion->forward(input, target));
  checkGolden(criterion->backward(input, target), golden.at("gradInput"));
}

void checkCriteria(const std::shared_ptr<Backend>& backend, const std::string& name, int count,
                   bool hasClasses) {
  for (int i = 1; i <= count; ++i) {
    checkCriterion(backend, name + "__" + std::to_string(i) + ".json", hasClasses);
  }
}

}  // namespace

TEST_CASE("ClassNLLCriterion computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkCriteria(backend, "ClassNLLCriterion", 4, true); }
}

TEST_CASE("CrossEntropyCriterion computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkCriteria(backend, "CrossEntropyCriterion", 2, true); }
}

TEST_CASE("MSECriterion computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkCriteria(backend, "MSECriterion", 2, false); }
}

TEST_CASE("BCECriterion computes what Torch7 computed") {
  FOR_EACH_BACKEND(backend) { checkCriteria(backend, "BCECriterion", 3, false); }
}

}  // namespace torchette::testing

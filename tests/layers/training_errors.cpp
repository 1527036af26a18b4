// Criteria and optimizers refuse what does not fit.
#include <doctest/doctest.h>

#include "layers/criteria/bce_criterion.h"
#include "layers/criteria/cross_entropy_criterion.h"
#include "layers/criteria/mse_criterion.h"
#include "layers/optim/adam.h"
#include "layers/optim/sgd.h"
#include "runtime/errors.h"
#include "tests/layers/layer_support.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

Tensor labels(Backend& backend, const std::vector<std::int64_t>& values) {
  return Tensor::fromValues(backend.allocator(), {static_cast<std::int64_t>(values.size())},
                            values);
}

/// Both verbs must refuse the target, and in the same words.
template <class Exception>
void checkRefused(nn::Criterion& criterion, const Tensor& input, const Tensor& target,
                  std::vector<std::string> words) {
  words.emplace_back("criterion");
  checkThrows<Exception>([&] { criterion.forward(input, target); }, words);
  checkThrows<Exception>([&] { criterion.backward(input, target); }, words);
}

template <class T, class Config>
void checkConfigRefused(const Config& config, std::vector<std::string> words) {
  words.emplace_back("optimizer: ");
  checkThrows<ArgumentError>([&] { nn::build<T>("optimizer", contextOn(cpuBackend()), config); },
                             words);
}

}  // namespace

TEST_CASE("class criteria refuse targets that are no class") {
  FOR_EACH_BACKEND(backend) {
    const auto context = contextOn(backend);
    const auto check = [&](nn::Criterion& criterion) {
      const auto input = randomTensor(*backend, {2, 4}, 1);
      checkRefused<ArgumentError>(criterion, input, labels(*backend, {0, 4}),
                                  {"target 4", "count from 0 to 3"});
      checkRefused<ArgumentError>(criterion, input, labels(*backend, {-1, 0}), {"target -1"});
      checkRefused<ShapeError>(criterion, input, labels(*backend, {0}),
                               {"target of size 2", "2x4", "got 1"});
      checkRefused<ShapeError>(criterion, input, labels(*backend, {0, 1}).view({2, 1}),
                               {"target of size 2", "got 2x1"});
      checkRefused<ShapeError>(criterion, input, tensor(*backend, {2}, {0, 1}),
                               {"int64", "float32"});
    };
    check(*nn::build<nn::ClassNLLCriterion>("criterion", context));
    check(*nn::build<nn::CrossEntropyCriterion>("criterion", context));
  }
}

TEST_CASE("class criteria refuse inputs of other dimensions and weights of another number") {
  FOR_EACH_BACKEND(backend) {
    const auto context = contextOn(backend);
    const auto nll = nn::build<nn::ClassNLLCriterion>("criterion", context);
    checkRefused<ShapeError>(*nll, randomTensor(*backend, {2, 4, 1}, 1), labels(*backend, {0, 1}),
                             {"classes or batch x classes", "2x4x1"});
    const std::vector<float> weights = {1, 2, 3};
    const auto check = [&](nn::Criterion& criterion) {
      checkRefused<ShapeError>(criterion, randomTensor(*backend, {2, 4}, 1),
                               labels(*backend, {0, 1}),
                               {"expected 3 classes", "one per weight", "2x4"});
    };
    check(*nn::build<nn::ClassNLLCriterion>("criterion", context, weights));
    check(*nn::build<nn::CrossEntropyCriterion>("criterion", context, weights));
  }
}

TEST_CASE("pairwise criteria refuse targets of another size and weights of another number") {
  FOR_EACH_BACKEND(backend) {
    const auto context = contextOn(backend);
    const auto check = [&](nn::Criterion& criterion) {
      checkRefused<ShapeError>(criterion, randomTensor(*backend, {2, 3}, 1),
                               randomTensor(*backend, {3, 2}, 2),
                               {"target of the input's size 2x3", "got 3x2"});
      checkRefused<ShapeError>(criterion, randomTensor(*backend, {2}, 1), labels(*backend, {0, 1}),
                               {"float32", "int64"});
    };
    check(*nn::build<nn::MSECriterion>("criterion", context));
    check(*nn::build<nn::BCECriterion>("criterion", context));
    const auto weighted =
        nn::build<nn::BCECriterion>("criterion", context, std::vector<float>{1, 2});
    checkRefused<ShapeError>(*weighted, randomTensor(*backend, {2, 3}, 1),
                             randomTensor(*backend, {2, 3}, 2), {"rows of 2", "2x3"});
  }
}

TEST_CASE("a criterion refused for its target keeps its results") {
  FOR_EACH_BACKEND(backend) {
    const auto criterion = nn::build<nn::MSECriterion>("criterion", contextOn(backend));
    const auto input = randomTensor(*backend, {2, 3}, 1),
               target = randomTensor(*backend, {2, 3}, 2);
    const double output = criterion->forward(input, target);
    const auto gradInput = valuesOf(criterion->backward(input, target));
    const auto wrong = randomTensor(*backend, {6}, 3);
    CHECK_THROWS_AS(criterion->forward(input, wrong), ShapeError);
    CHECK_THROWS_AS(criterion->backward(input, wrong), ShapeError);
    CHECK(criterion->output == output);
    CHECK(valuesOf(criterion->gradInput) == gradInput);
  }
}

TEST_CASE("optimizers refuse settings out of range") {
  checkConfigRefused<optim::Sgd>(optim::SgdConfig{.learningRate = -1}, {"sgd", "at least 0"});
  checkConfigRefused<optim::Sgd>(optim::SgdConfig{.learningRateDecay = -1}, {"sgd"});
  checkConfigRefused<optim::Sgd>(optim::SgdConfig{.weightDecay = -1}, {"sgd"});
  checkConfigRefused<optim::Sgd>(optim::SgdConfig{.momentum = -0.5}, {"sgd"});
  checkConfigRefused<optim::Sgd>(optim::SgdConfig{.momentum = 0.5, .dampening = -1}, {"sgd"});
  checkConfigRefused<optim::Sgd>(optim::SgdConfig{.nesterov = true},
                                 {"nesterov", "momentum", "dampening of 0"});
  checkConfigRefused<optim::Sgd>(optim::SgdConfig{.momentum = 0.9, .nesterov = true},
                                 {"nesterov", "dampening of 0"});
  checkConfigRefused<optim::Adam>(optim::AdamConfig{.learningRate = -1}, {"adam", "at least 0"});
  checkConfigRefused<optim::Adam>(optim::AdamConfig{.beta1 = 1}, {"adam", "below 1"});
  checkConfigRefused<optim::Adam>(optim::AdamConfig{.beta2 = -0.1}, {"adam"});
  checkConfigRefused<optim::Adam>(optim::AdamConfig{.epsilon = -1e-8}, {"adam"});
  checkConfigRefused<optim::Adam>(optim::AdamConfig{.weightDecay = -1}, {"adam"});
}

TEST_CASE("optimizers refuse what are not two contiguous vectors of one length") {
  FOR_EACH_BACKEND(backend) {
    const auto sgd = nn::build<optim::Sgd>("optimizer", contextOn(backend), optim::SgdConfig{});
    const auto check = [&](const Tensor& parameters, const Tensor& gradient) {
      checkThrows<ShapeError>([&] { sgd->step(parameters, gradient); },
                              {"optimizer: ", "two contiguous vectors",
                               parameters.shape().toString(), gradient.shape().toString()});
      CHECK(sgd->evalCounter() == 0);
    };
    const auto vector = randomTensor(*backend, {4}, 1);
    check(vector, randomTensor(*backend, {3}, 2));
    check(randomTensor(*backend, {2, 2}, 3), randomTensor(*backend, {2, 2}, 4));
    check(vector, randomTensor(*backend, {4, 3}, 5).select(1, 0));
  }
}

TEST_CASE("an optimizer refuses vectors of another length than before") {
  FOR_EACH_BACKEND(backend) {
    const auto context = contextOn(backend);
    const auto check = [&](optim::Optimizer& optimizer) {
      const auto parameters = randomTensor(*backend, {4}, 1),
                 longer = randomTensor(*backend, {9}, 2);
      optimizer.step(parameters, randomTensor(*backend, {4}, 3));
      const auto before = valuesOf(longer);
      checkThrows<ShapeError>([&] { optimizer.step(longer, randomTensor(*backend, {9}, 4)); },
                              {"optimizer: ", "4", "9"});
      CHECK(valuesOf(longer) == before);
      CHECK(optimizer.evalCounter() == 1);
    };
    check(*nn::build<optim::Sgd>("optimizer", context, optim::SgdConfig{.momentum = 0.9}));
    check(*nn::build<optim::Adam>("optimizer", context, optim::AdamConfig{}));
  }
}

}  // namespace torchette::testing

// Training options: defaults and limits.
#include "examples/training/options.h"

#include <doctest/doctest.h>

#include "runtime/errors.h"
#include "tests/support/check_throws.h"

namespace torchette::training {

namespace {

/// Checks that the default options with one change are refused with these words.
template <class Change>
void checkRefused(Change change, const std::vector<std::string>& words) {
  auto options = defaultOptions(nn::Objective::classification);
  change(options);
  testing::checkThrows<ArgumentError>([&] { requireValid(options); }, words);
}

}  // namespace

TEST_CASE("default options are valid for every objective and optimizer") {
  for (const auto objective : {nn::Objective::classification, nn::Objective::reconstruction}) {
    CHECK_NOTHROW(requireValid(defaultOptions(objective)));
    for (const char* optimizer : {"sgd", "adam"}) {
      CHECK_NOTHROW(requireValid(defaultOptions(objective, optimizer)));
      CHECK(defaultOptions(objective, optimizer).optimizer == optimizer);
    }
  }
}

TEST_CASE("options out of range are refused by name") {
  checkRefused([](auto& options) { options.optimizer = "lbfgs"; }, {"optimizer", "sgd or adam"});
  checkRefused([](auto& options) { options.epochs = 0; }, {"epochs", "at least 1"});
  checkRefused([](auto& options) { options.batch = 0; }, {"batch", "at least 1"});
  checkRefused([](auto& options) { options.learningRate = 0; }, {"learning rate", "above 0"});
  checkRefused([](auto& options) { options.learningRate = std::stod("nan"); }, {"learning rate"});
  checkRefused([](auto& options) { options.weightDecay = -1; }, {"weight decay", "at least 0"});
  checkRefused([](auto& options) { options.momentum = 1; }, {"momentum", "[0, 1)"});
}

TEST_CASE("momentum is refused for adam") {
  auto options = defaultOptions(nn::Objective::classification, "adam");
  options.momentum = 0.9;
  testing::checkThrows<ArgumentError>([&] { requireValid(options); }, {"momentum", "adam"});
}

}  // namespace torchette::training

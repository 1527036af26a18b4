// What a network is to learn, found out before training.
#include "examples/training/task.h"

#include <doctest/doctest.h>

#include "runtime/errors.h"
#include "tests/examples/small_run.h"
#include "tests/support/check_throws.h"
#include "tests/support/test_backend.h"

namespace torchette::training {

using testing::checkThrows;
using testing::smallImages;

namespace {

nn::Context newContext() { return {testing::cpuBackend(), std::make_shared<Generator>(1)}; }

nn::Objective objectiveOf(const std::string& modelText, const data::ImageData& images) {
  const auto context = newContext();
  auto model = nn::makeModel(modelText, context);
  return training::objectiveOf(model, context, images);
}

std::string criterionOf(const std::string& modelText, nn::Objective objective) {
  const auto context = newContext();
  const auto model = nn::makeModel(modelText, context);
  const auto criterion = makeCriterion(context, *model.network, objective);
  CHECK(criterion->path() == "criterion");
  return criterion->type();
}

}  // namespace

TEST_CASE("a network that gives scores is a classifier") {
  CHECK(objectiveOf("nn.View(64); nn.Linear(64,3)", smallImages()) ==
        nn::Objective::classification);
  CHECK(objectiveOf("nn.SpatialConvolution(1,3,8,8); nn.View(3)", smallImages()) ==
        nn::Objective::classification);
}

TEST_CASE("a network that gives as many numbers as it takes is an autoencoder") {
  CHECK(objectiveOf("nn.SpatialConvolution(1,1,3,3,1,1,1,1)", smallImages()) ==
        nn::Objective::reconstruction);
  CHECK(objectiveOf("nn.View(64); nn.Linear(64,9); nn.Linear(9,64)", smallImages()) ==
        nn::Objective::reconstruction);
}

TEST_CASE("the objective of a built-in model is known") {
  const auto images = data::syntheticData(2, 2, {1, 28, 28}, 2, 1);
  CHECK(objectiveOf("lenet", images) == nn::Objective::classification);
  CHECK(objectiveOf("autoencoder", images) == nn::Objective::reconstruction);
}

TEST_CASE("images that do not fit a model are refused with both sizes") {
  checkThrows<ShapeError>([] { objectiveOf("lenet", smallImages()); },
                          {"lenet", "1x28x28", "1x8x8"});
  checkThrows<ShapeError>([] { objectiveOf("nn.SpatialConvolution(3,4,3,3)", smallImages()); },
                          {"net", "3"});
}

TEST_CASE("an output that is neither scores nor an image is refused") {
  checkThrows<ShapeError>([] { objectiveOf("nn.SpatialConvolution(1,2,3,3)", smallImages()); },
                          {"2x2x6x6", "1x8x8", "class scores"});
  checkThrows<ShapeError>([] { objectiveOf("nn.Reshape(128,false)", smallImages()); }, {"128"});
}

TEST_CASE("a label that is no class of the network is refused") {
  checkThrows<ArgumentError>([] { objectiveOf("nn.View(64); nn.Linear(64,2)", smallImages()); },
                             {"label 2", "2 classes", "0 to 1"});
}

TEST_CASE("the first look leaves the network as it was") {
  const auto context = newContext();
  auto model = nn::makeModel(testing::smallClassifier, context);
  const auto bytes = testing::ledger()->liveBytes();
  const auto generator = context.generator->state();
  training::objectiveOf(model, context, smallImages());
  CHECK(testing::ledger()->liveBytes() == bytes);
  CHECK(context.generator->state() == generator);
  model.network->forEachModule([](nn::Module& module) {
    CHECK(module.isTraining());
    module.visitTensors([](std::string_view field, nn::Role, Tensor& tensor) {
      if (field == "running_mean") CHECK(tensor.values<float>() == std::vector<float>(4, 0));
    });
  });
}

TEST_CASE("each objective has its criterion") {
  CHECK(criterionOf("nn.Sequential():add(nn.Linear(4,3)):add(nn.LogSoftMax())",
                    nn::Objective::classification) == "nn.ClassNLLCriterion");
  CHECK(criterionOf("nn.LogSoftMax(); nn.Linear(4,3)", nn::Objective::classification) ==
        "nn.CrossEntropyCriterion");
  CHECK(criterionOf("nn.Linear(4,4)", nn::Objective::reconstruction) == "nn.MSECriterion");
}

}  // namespace torchette::training

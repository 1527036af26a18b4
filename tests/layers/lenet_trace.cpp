// A LeNet trained for 20 steps follows Torch7's course.
#include <doctest/doctest.h>

#include "layers/criteria/class_nll_criterion.h"
#include "tests/layers/golden_case.h"
#include "tests/layers/golden_training.h"
#include "tests/support/golden.h"

namespace torchette::testing {

namespace {

using nlohmann::json;

constexpr std::int64_t batch = 4, batches = 10, imagePixels = 28 * 28;

constexpr const char* lenet =
    "nn.SpatialConvolution(1,6,5,5); nn.Tanh(); nn.SpatialMaxPooling(2,2,2,2);"
    "nn.SpatialConvolution(6,16,5,5); nn.Tanh(); nn.SpatialMaxPooling(2,2,2,2);"
    "nn.View(256); nn.Linear(256,84); nn.Tanh(); nn.Linear(84,10); nn.LogSoftMax()";

/// All images of the trace, one after the other.
Tensor imagesOf(Backend& backend, const json& trace) {
  std::vector<float> pixels;
  for (const auto& pixel : trace.at("data_uint8")) {
    pixels.push_back(static_cast<float>(pixel.get<double>() / 255));
  }
  const auto images = static_cast<std::int64_t>(pixels.size()) / imagePixels;
  return tensor(backend, {images, 1, 28, 28}, pixels);
}

void checkTraining(const std::shared_ptr<Backend>& backend, nn::WorkspaceStrategy strategy,
                   const json& golden, const json& trace) {
  INFO("trace ", trace.at("name").get<std::string>());
  const auto context = contextOn(backend);
  const auto network = moduleOn(backend, lenet);
  network->setWorkspaceStrategy(strategy);
  const auto criterion = nn::build<nn::ClassNLLCriterion>("criterion", context);
  const auto optimizer = goldenOptimizer(context, trace);
  const auto [parameters, gradParameters] = network->getParameters();
  parameters.copyFrom(goldenTensor(backend->allocator(), golden.at("initial_params")));
  const auto images = imagesOf(*backend, golden);
  const auto labels = Tensor::fromValues(backend->allocator(), {images.size(0)},
                                         goldenClasses(golden.at("targets")));
  for (std::int64_t step = 0; step < 20; ++step) {
    INFO("step ", step);
    const auto first = step % batches * batch;
    const auto input = images.narrow(0, first, batch), target = labels.narrow(0, first, batch);
    network->zeroGradParameters();
    const auto& output = network->forward(input).tensor();
    if (step == 0) checkGolden(output, trace.at("output_step1"));
    const double expectedLoss = trace.at("loss_double").at(static_cast<std::size_t>(step));
    CHECK(criterion->forward(output, target) ==
          doctest::Approx(expectedLoss).epsilon(goldenTolerance).scale(0));
    network->backward(input, criterion->backward(output, target));
    optimizer->step(parameters, gradParameters);
  }
  checkGolden(parameters, trace.at("final_params"));
}

}  // namespace

TEST_CASE("a LeNet trained for 20 steps has the losses and parameters that Torch7 had") {
  FOR_EACH_BACKEND(backend) {
    const auto golden = loadGolden("lenet_trace.json");
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      for (const auto& trace : golden.at("traces")) {
        checkTraining(backend, strategy, golden, trace);
      }
    });
  }
}

}  // namespace torchette::testing

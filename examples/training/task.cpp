// A first look at what a network makes of images.
#include "examples/training/task.h"

#include <algorithm>

#include "layers/criteria/cross_entropy_criterion.h"
#include "layers/criteria/mse_criterion.h"
#include "runtime/errors.h"

namespace torchette::training {

namespace {

void requireSampleShape(const nn::Model& model, const Shape& shape) {
  if (model.sampleShape && *model.sampleShape != shape) {
    throw ShapeError(model.name, "the model takes images of " + model.sampleShape->toString() +
                                     ", the data has " + shape.toString());
  }
}

/// The shape that the network gives for two images; nn.View treats a single one differently.
Shape outputShapeFor(nn::Module& network, const nn::Context& context, const Shape& sampleShape) {
  const OwnerScope scope("data");
  Tensor images(context.backend->allocator(), "images");
  images.resize(sampleShape.inserted(0, 2));
  images.zero();
  network.evaluate();
  auto shape = network.forward(images).tensor().shape();
  network.training();
  network.clearState();
  return shape;
}

nn::Objective objectiveFor(const Shape& output, const Shape& image) {
  const bool hasBatch = output.rank() > 0 && output[0] == 2;
  if (hasBatch && output.elements() == 2 * image.elements()) return nn::Objective::reconstruction;
  if (hasBatch && output.rank() == 2) return nn::Objective::classification;
  throw ShapeError("training", "the network gives " + output.toString() + " for 2 images of " +
                                   image.toString() +
                                   "; it can be trained if it gives a row of class scores for each "
                                   "(2 x classes) or as many numbers as an image has");
}

void requireLabelsBelow(std::int64_t classes, const data::ImageData& images) {
  const int largest = std::max(images.training.largestLabel(), images.test.largestLabel());
  if (largest < classes) return;
  throw ArgumentError("training", "the data has the label " + std::to_string(largest) +
                                      ", but the network knows " + std::to_string(classes) +
                                      " classes; labels count from 0 to " +
                                      std::to_string(classes - 1));
}

bool endsInLogSoftMax(const nn::Module& module) {
  const auto children = module.children();
  if (module.type() == "nn.Sequential" && !children.empty()) {
    return endsInLogSoftMax(*children.back());
  }
  return module.type() == "nn.LogSoftMax";
}

}  // namespace

nn::Objective objectiveOf(nn::Model& model, const nn::Context& context,
                          const data::ImageData& images) {
  const auto sampleShape = images.training.sampleShape();
  requireSampleShape(model, sampleShape);
  const auto output = outputShapeFor(*model.network, context, sampleShape);
  const auto objective = model.objective.value_or(objectiveFor(output, sampleShape));
  if (objective == nn::Objective::classification) requireLabelsBelow(output[1], images);
  return objective;
}

std::unique_ptr<nn::Criterion> makeCriterion(const nn::Context& context, const nn::Module& network,
                                             nn::Objective objective) {
  if (objective == nn::Objective::reconstruction) {
    return nn::build<nn::MSECriterion>("criterion", context);
  }
  if (endsInLogSoftMax(network)) return nn::build<nn::ClassNLLCriterion>("criterion", context);
  return nn::build<nn::CrossEntropyCriterion>("criterion", context);
}

}  // namespace torchette::training

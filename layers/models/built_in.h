// The built-in models: networks that are known by name.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "layers/sequential.h"

namespace torchette::nn {

/// What a model is trained for.
enum class Objective {
  classification,  ///< log-probabilities of classes; ClassNLLCriterion
  reconstruction,  ///< the input itself; MSECriterion
};

struct BuiltInModel {
  std::string_view name;
  std::string_view summary;
  Objective objective;
  Shape sampleShape;  ///< planes x height x width of one input
  void (*addModules)(Sequential& network);
};

const std::vector<BuiltInModel>& builtInModels();
/// Null if there is none of that name.
const BuiltInModel* findBuiltInModel(std::string_view name);

// One file per model.

/// LeNet for 28 x 28 grey images and 10 classes: two 5x5 convolutions of 20 and 50 planes, each
/// pooled, then 500 hidden units.
void addLenet(Sequential& network);
/// Convolutional autoencoder for 28 x 28 grey images: two stride-2 convolutions down to 8 x 7 x 7,
/// two full convolutions up again.
void addAutoencoder(Sequential& network);
/// VGG-A: eight 3x3 convolutions and three Linear layers, 132,863,336 parameters.
void addVggA(Sequential& network);

}  // namespace torchette::nn

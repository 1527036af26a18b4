#include "layers/models/built_in.h"

#include <algorithm>

namespace torchette::nn {

const std::vector<BuiltInModel>& builtInModels() {
  static const std::vector<BuiltInModel> models = {
      {"lenet", "LeNet 20-50-500, 10 classes", Objective::classification, {1, 28, 28}, addLenet},
      {"autoencoder",
       "convolutions down to 8x7x7, full convolutions up",
       Objective::reconstruction,
       {1, 28, 28},
       addAutoencoder},
      {"vgg-a", "VGG-A, 1000 classes", Objective::classification, {3, 224, 224}, addVggA},
  };
  return models;
}

const BuiltInModel* findBuiltInModel(std::string_view name) {
  const auto found = std::ranges::find(builtInModels(), name, &BuiltInModel::name);
  return found == builtInModels().end() ? nullptr : &*found;
}

}  // namespace torchette::nn

// The images that torchette train was asked to use.
#pragma once

#include "examples/cli/train_options.h"
#include "examples/data/dataset.h"
#include "layers/models/model.h"

namespace torchette::cli {

/// --data, --data-dir and --limit. Made-up images have the model's sample shape. Throws FileError.
data::ImageData loadImages(const TrainOptions& options, const nn::Model& model);

}  // namespace torchette::cli

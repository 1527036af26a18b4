// What a network is to learn from a set of images, found out before training.
#pragma once

#include <memory>

#include "examples/data/dataset.h"
#include "layers/criteria/criterion.h"
#include "layers/models/model.h"

namespace torchette::training {

/// Sends empty images through the network, whose state stays as it is, and checks that it can be
/// trained on `images`. Throws ShapeError if the images do not fit the network, or if the output is
/// neither a row of class scores per image nor an image; ArgumentError if a label is no class.
nn::Objective objectiveOf(nn::Model& model, const nn::Context& context,
                          const data::ImageData& images);

/// The criterion of an objective, built under the path "criterion": MSE for reconstruction; for
/// classification ClassNLL where the network ends in LogSoftMax, else CrossEntropy.
std::unique_ptr<nn::Criterion> makeCriterion(const nn::Context& context, const nn::Module& network,
                                             nn::Objective objective);

}  // namespace torchette::training

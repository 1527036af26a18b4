// A training run that takes milliseconds: synthetic images of 8 x 8 pixels and a small network with
// everything that a checkpoint must hold.
#pragma once

#include <memory>
#include <string>

#include "examples/training/trainer.h"

namespace torchette::testing {

/// Running statistics, random noise, and a last batch that is not full.
inline constexpr const char* smallClassifier =
    "nn.SpatialConvolution(1,4,3,3); nn.SpatialBatchNormalization(4); nn.ReLU(); nn.Dropout(0.2); "
    "nn.View(144); nn.Linear(144,3); nn.LogSoftMax()";

inline constexpr const char* smallAutoencoder =
    "nn.SpatialConvolution(1,4,4,4,2,2,1,1); nn.Tanh(); "
    "nn.SpatialFullConvolution(4,1,4,4,2,2,1,1); nn.Sigmoid()";

/// 50 training and 21 test images of 3 classes.
data::ImageData smallImages(std::uint32_t seed = 1);

/// 4 epochs, batches of 8, seed 7.
training::TrainingOptions smallOptions(const std::string& optimizer = "sgd");

/// The parts live as long as the trainer that uses them, and stay where they are.
struct SmallRun {
  explicit SmallRun(std::shared_ptr<Backend> backend, std::shared_ptr<Ledger> ledger,
                    const std::string& modelText = smallClassifier,
                    const training::TrainingOptions& options = smallOptions(),
                    const data::ImageData& images = smallImages());
  SmallRun(const SmallRun&) = delete;
  SmallRun& operator=(const SmallRun&) = delete;

  nn::Context context;
  data::ImageData images;
  nn::Model model;
  training::Trainer trainer;
};

}  // namespace torchette::testing

// Trainer: moves a network's parameters, epoch by epoch.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "examples/data/batches.h"
#include "examples/training/checkpoint.h"
#include "examples/training/epoch_record.h"
#include "layers/criteria/criterion.h"
#include "layers/models/model.h"
#include "layers/optim/optimizer.h"
#include "runtime/ledger.h"

namespace torchette::training {

/// How far an epoch has come.
struct Progress {
  std::int64_t epoch = 0;  ///< counts from 1
  std::int64_t imagesDone = 0;
  std::int64_t imagesTotal = 0;
  double loss = 0;  ///< mean over the images done
};

/// Called after each batch. May throw; the epoch is then lost like an interrupted one.
using ProgressCallback = std::function<void(const Progress&)>;

class Trainer {
 public:
  /// `context` is the one `model` was built with; `model` and `images` must outlive this. A model
  /// without a known objective reconstructs its input if it gives as many numbers as it takes, else
  /// it classifies. Throws, before anything is trained: ArgumentError for options out of range, no
  /// images, or a label that is no class of the network; ShapeError if images do not fit the
  /// network or its output is neither scores of classes nor an image.
  Trainer(nn::Context context, nn::Model& model, const data::ImageData& images,
          const TrainingOptions& options, std::shared_ptr<Ledger> ledger);

  /// Trains on all training images in a new random order, then tests. Between batches looks at
  /// `stop`; if it is true, gives up and returns nothing. After that, or after an exception, the
  /// network is between two epochs: only restore() makes the trainer usable again. Throws
  /// StateError if the loss is no longer a finite number.
  std::optional<EpochRecord> runEpoch(const ProgressCallback& progress = {},
                                      const std::atomic<bool>* stop = nullptr);

  nn::Objective objective() const { return objective_; }
  const TrainingOptions& options() const { return options_; }
  nn::Module& network() const { return *model_.network; }
  const data::ImageData& images() const { return images_; }
  /// Epochs finished, those before restore() included.
  std::int64_t epoch() const { return static_cast<std::int64_t>(history_.size()); }
  const std::vector<EpochRecord>& history() const { return history_; }

  /// The complete state after the last finished epoch. Throws StateError inside an unfinished one.
  Checkpoint checkpoint() const;
  /// Continues from `checkpoint` as if training had never stopped. Throws FileError, naming `place`
  /// (the file), if it belongs to another model, other images or other options (epochs may
  /// differ); nothing has changed then.
  void restore(const Checkpoint& checkpoint, const std::string& place);

 private:
  bool trainOnce(EpochRecord& record, const ProgressCallback& progress,
                 const std::atomic<bool>* stop);
  double trainBatch();
  bool test(EpochRecord& record, const std::atomic<bool>* stop);
  double testBatch(const Tensor& output);
  Tensor targetFor(const data::Batches& batches, const Tensor& output) const;
  [[noreturn]] void failAt(std::int64_t imagesDone) const;
  void requireBetweenEpochs() const;
  RunIdentity identity() const;

  nn::Context context_;
  nn::Model& model_;
  const data::ImageData& images_;
  TrainingOptions options_;
  std::shared_ptr<Ledger> ledger_;
  nn::Objective objective_;
  std::unique_ptr<nn::Criterion> criterion_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  nn::FlatParameters flat_;
  DataIdentity data_;
  data::Batches trainingBatches_;
  data::Batches testBatches_;
  std::vector<float> hostOutput_;
  std::vector<EpochRecord> history_;
  bool isInsideEpoch_ = false;
};

}  // namespace torchette::training

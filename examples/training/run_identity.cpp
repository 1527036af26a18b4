// Comparing two training runs.
#include "examples/training/run_identity.h"

#include <array>
#include <charconv>

#include "runtime/errors.h"

namespace torchette::training {

namespace {

void requireSame(const std::string& setting, const std::string& saved, const std::string& current,
                 const std::string& place) {
  if (saved == current) return;
  throw FileError(place, "the checkpoint was made with " + setting + " " + saved +
                             ", this run has " + setting + " " + current +
                             "; continue with the same, or begin anew without the checkpoint");
}

std::string textOf(const DataIdentity& data) {
  return data.name + " (" + std::to_string(data.trainingImages) + " training and " +
         std::to_string(data.testImages) + " test images, checksums " +
         std::to_string(data.trainingChecksum) + " and " + std::to_string(data.testChecksum) + ")";
}

}  // namespace

std::string shortText(double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

DataIdentity identityOf(const data::ImageData& images) {
  return {images.name, images.training.count, images.test.count, images.training.checksum(),
          images.test.checksum()};
}

void requireSameRun(const RunIdentity& saved, const RunIdentity& current,
                    const std::string& place) {
  requireSame("the model", saved.model, current.model, place);
  requireSame("the network", saved.description, current.description, place);
  DataIdentity savedData = saved.data;
  savedData.name = current.data.name;
  if (textOf(savedData) != textOf(current.data)) {
    requireSame("the data", textOf(saved.data), textOf(current.data), place);
  }
  const auto& before = saved.options;
  const auto& now = current.options;
  requireSame("the optimizer", before.optimizer, now.optimizer, place);
  requireSame("batch", std::to_string(before.batch), std::to_string(now.batch), place);
  requireSame("seed", std::to_string(before.seed), std::to_string(now.seed), place);
  requireSame("learning rate", shortText(before.learningRate), shortText(now.learningRate), place);
  requireSame("learning rate decay", shortText(before.learningRateDecay),
              shortText(now.learningRateDecay), place);
  requireSame("momentum", shortText(before.momentum), shortText(now.momentum), place);
  requireSame("weight decay", shortText(before.weightDecay), shortText(now.weightDecay), place);
}

}  // namespace torchette::training

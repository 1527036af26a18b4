// Linear: output = weight input + bias.
#pragma once

#include "layers/module.h"

namespace torchette::nn {

/// Input inputSize, or batch x inputSize; output outputSize, or batch x outputSize. Other ranks and
/// sizes throw ShapeError.
class Linear final : public Module {
 public:
  /// Weight and bias start uniform in +-1 / sqrt(inputSize). Throws ArgumentError for sizes
  /// below 1.
  Linear(Context context, std::int64_t inputSize, std::int64_t outputSize, bool bias = true);

  std::string type() const override { return "nn.Linear"; }
  std::string description() const override;
  void visitTensors(const TensorVisitor& visit) override;

  /// Removes bias and gradBias.
  void noBias();
  bool hasBias() const { return hasBias_; }

  Tensor weight, gradWeight;  ///< outputSize x inputSize
  Tensor bias, gradBias;      ///< outputSize
  Tensor addBuffer;           ///< batch ones, which spread the bias over the batch

 protected:
  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;
  void accGradParameters(const Activity& input, const Activity& gradOutput, float scale) override;

 private:
  std::int64_t samplesIn(const Tensor& input) const;
  void resizeAddBuffer(std::int64_t samples);
  void spreadBias(const Tensor& result) const;

  std::int64_t inputSize_, outputSize_;
  bool hasBias_;
};

}  // namespace torchette::nn

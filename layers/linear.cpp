#include "layers/linear.h"

#include <cmath>

#include "layers/window_geometry.h"
#include "runtime/errors.h"

namespace torchette::nn {

Linear::Linear(Context context, std::int64_t inputSize, std::int64_t outputSize, bool withBias)
    : Module(std::move(context)),
      weight(makeTensor("weight")),
      gradWeight(makeTensor("gradWeight")),
      bias(makeTensor("bias")),
      gradBias(makeTensor("gradBias")),
      addBuffer(makeTensor("addBuffer")),
      inputSize_(inputSize),
      outputSize_(outputSize),
      hasBias_(withBias) {
  requireAtLeast(1, inputSize, "inputSize");
  requireAtLeast(1, outputSize, "outputSize");
  for (auto* tensor : {&weight, &gradWeight}) tensor->resize({outputSize, inputSize});
  gradWeight.zero();
  const double bound = 1 / std::sqrt(static_cast<double>(inputSize));
  fillUniform(weight, -bound, bound);
  if (!hasBias_) return;
  for (auto* tensor : {&bias, &gradBias}) tensor->resize({outputSize});
  gradBias.zero();
  fillUniform(bias, -bound, bound);
}

std::string Linear::description() const {
  return type() + "(" + std::to_string(inputSize_) + " -> " + std::to_string(outputSize_) + ")" +
         (hasBias_ ? "" : " without bias");
}

void Linear::visitTensors(const TensorVisitor& visit) {
  Module::visitTensors(visit);
  visit("addBuffer", Role::buffer, addBuffer);
  visit("weight", Role::parameter, weight);
  if (hasBias_) visit("bias", Role::parameter, bias);
  visit("gradWeight", Role::parameterGradient, gradWeight);
  if (hasBias_) visit("gradBias", Role::parameterGradient, gradBias);
}

void Linear::noBias() {
  hasBias_ = false;
  bias.clear();
  gradBias.clear();
}

std::int64_t Linear::samplesIn(const Tensor& input) const {
  const bool isRankRight = input.rank() == 1 || input.rank() == 2;
  if (!isRankRight || input.size(input.rank() - 1) != inputSize_) {
    const auto size = std::to_string(inputSize_);
    throw ShapeError(path(), "expected an input of size " + size + " or batch x " + size +
                                 ", got " + input.shape().toString() +
                                 "; flatten it with nn.View first if it has more dimensions");
  }
  return input.rank() == 2 ? input.size(0) : 1;
}

/// A single sample needs no ones and, as in Torch7, gets none. Filled at each forward, since a
/// memory plan may have put something else there.
void Linear::resizeAddBuffer(std::int64_t samples) {
  addBuffer.resize({samples});
  backend().fill(samples, 1, addBuffer.data<float>());
}

/// output (N x O) = addBuffer (N x 1) bias (1 x O); a single sample is the bias itself.
void Linear::spreadBias(const Tensor& result) const {
  if (result.rank() == 1) {
    backend().scale(bias.elements(), 1, bias.data<float>(), result.data<float>());
    return;
  }
  backend().gemm({.m = result.size(0),
                  .n = outputSize_,
                  .k = 1,
                  .a = addBuffer.data<float>(),
                  .lda = 1,
                  .b = bias.data<float>(),
                  .ldb = outputSize_,
                  .c = result.data<float>(),
                  .ldc = outputSize_});
}

/// output (N x O) = bias + input (N x I) weight^T (I x O)
void Linear::updateOutput(const Activity& input) {
  const auto& x = input.tensor();
  const auto samples = samplesIn(x);
  auto& y = output.tensor();
  if (x.rank() == 2) resizeAddBuffer(samples);
  y.resize(x.shape().with(x.rank() - 1, outputSize_));
  if (hasBias_) spreadBias(y);
  backend().gemm({.transposeB = true,
                  .m = samples,
                  .n = outputSize_,
                  .k = inputSize_,
                  .a = x.data<float>(),
                  .lda = inputSize_,
                  .b = weight.data<float>(),
                  .ldb = inputSize_,
                  .beta = hasBias_ ? 1.0F : 0.0F,
                  .c = y.data<float>(),
                  .ldc = outputSize_});
}

/// gradInput (N x I) = gradOutput (N x O) weight (O x I)
void Linear::updateGradInput(const Activity& input, const Activity& gradOutput) {
  const auto samples = samplesIn(input.tensor());
  gradInput.tensor().resize(input.tensor().shape());
  backend().gemm({.m = samples,
                  .n = inputSize_,
                  .k = outputSize_,
                  .a = gradOutput.tensor().data<float>(),
                  .lda = outputSize_,
                  .b = weight.data<float>(),
                  .ldb = inputSize_,
                  .c = gradInput.tensor().data<float>(),
                  .ldc = inputSize_});
}

/// gradWeight (O x I) += scale gradOutput^T (O x N) input (N x I)
void Linear::accGradParameters(const Activity& input, const Activity& gradOutput, float scale) {
  const auto samples = samplesIn(input.tensor());
  const auto* dy = gradOutput.tensor().data<float>();
  backend().gemm({.transposeA = true,
                  .m = outputSize_,
                  .n = inputSize_,
                  .k = samples,
                  .alpha = scale,
                  .a = dy,
                  .lda = outputSize_,
                  .b = input.tensor().data<float>(),
                  .ldb = inputSize_,
                  .beta = 1,
                  .c = gradWeight.data<float>(),
                  .ldc = inputSize_});
  if (hasBias_) {
    backend().accumulateBias({samples, outputSize_, 1}, scale, dy, gradBias.data<float>());
  }
}

}  // namespace torchette::nn

#include "layers/spatial_full_convolution.h"

#include "layers/plane_of_ones.h"
#include "layers/window_geometry.h"
#include "runtime/errors.h"

namespace torchette::nn {

namespace {

void requireBelowStride(std::int64_t adjustment, std::int64_t stride, const char* name,
                        const char* strideName) {
  requireAtLeast(0, adjustment, name);
  if (adjustment >= stride) {
    throw ArgumentError(OwnerScope::current(), std::string(name) + " is " +
                                                   std::to_string(adjustment) +
                                                   "; it must be smaller than " + strideName +
                                                   ", which is " + std::to_string(stride));
  }
}

}  // namespace

SpatialFullConvolution::SpatialFullConvolution(Context context, std::int64_t nInputPlane,
                                               std::int64_t nOutputPlane, std::int64_t kW,
                                               std::int64_t kH, std::int64_t dW, std::int64_t dH,
                                               std::int64_t padW, std::int64_t padH,
                                               std::int64_t adjW, std::int64_t adjH)
    : Convolution(std::move(context), nInputPlane, nOutputPlane, {kW, kH, dW, dH, padW, padH}),
      adjW_(adjW),
      adjH_(adjH) {
  requireBelowStride(adjW, dW, "adjW", "dW");
  requireBelowStride(adjH, dH, "adjH", "dH");
  initialise(nInputPlane, nOutputPlane);
}

std::string SpatialFullConvolution::description() const {
  const bool isAdjusted = adjW_ != 0 || adjH_ != 0;
  return describe(isAdjusted ? ", " + std::to_string(adjW_) + "," + std::to_string(adjH_) : "");
}

SpatialFullConvolution::Call SpatialFullConvolution::callFor(const Tensor& input) const {
  const auto images = ImageBatch::of(input);
  requirePlanes(images, nInputPlane_);
  const auto results = images.with(
      nOutputPlane_, windowSpan(images.height, window_.kH, window_.dH, window_.padH, adjH_),
      windowSpan(images.width, window_.kW, window_.dW, window_.padW, adjW_));
  requirePixels(images, results);
  return {images,
          results,
          {nOutputPlane_, results.height, results.width, window_, images.height, images.width}};
}

/// columns (K x P) = weight^T (K x I) input (I x P); col2im adds them up to the output.
void SpatialFullConvolution::updateOutput(const Activity& input) {
  const auto call = callFor(input.tensor());
  const auto rows = call.rows(), pixels = call.pixels();
  finput.resize({rows, pixels});
  makeOnes(call.output);
  output.tensor().resize(call.output.shape());
  for (std::int64_t sample = 0; sample < call.input.samples; ++sample) {
    float* y = output.tensor().data<float>() + sample * call.output.elementsPerSample();
    backend().gemm({.transposeA = true,
                    .m = rows,
                    .n = pixels,
                    .k = nInputPlane_,
                    .a = weight.data<float>(),
                    .lda = rows,
                    .b = input.tensor().data<float>() + sample * call.input.elementsPerSample(),
                    .ldb = pixels,
                    .c = finput.data<float>(),
                    .ldc = pixels});
    backend().col2im(call.columns, finput.data<float>(), y);
    if (hasBias()) addBias(backend(), bias, fgradInput, y);
  }
  finput.storage()->announceWrite(path());
}

/// gradInput (I x P) = weight (I x K) columns of gradOutput (K x P)
void SpatialFullConvolution::updateGradInput(const Activity& input, const Activity& gradOutput) {
  const auto call = callFor(input.tensor());
  const auto rows = call.rows(), pixels = call.pixels();
  gradInput.tensor().resize(call.input.shape());
  for (std::int64_t sample = 0; sample < call.input.samples; ++sample) {
    backend().im2col(call.columns,
                     gradOutput.tensor().data<float>() + sample * call.output.elementsPerSample(),
                     finput.data<float>());
    backend().gemm({.m = nInputPlane_,
                    .n = pixels,
                    .k = rows,
                    .a = weight.data<float>(),
                    .lda = rows,
                    .b = finput.data<float>(),
                    .ldb = pixels,
                    .c = gradInput.tensor().data<float>() + sample * call.input.elementsPerSample(),
                    .ldc = pixels});
  }
  finput.storage()->announceWrite(path());
}

/// gradWeight (I x K) += scale input (I x P) columns^T of gradOutput (P x K)
void SpatialFullConvolution::accGradParameters(const Activity& input, const Activity& gradOutput,
                                               float scale) {
  const auto call = callFor(input.tensor());
  const auto rows = call.rows(), pixels = call.pixels();
  const auto* dy = gradOutput.tensor().data<float>();
  for (std::int64_t sample = 0; sample < call.input.samples; ++sample) {
    backend().im2col(call.columns, dy + sample * call.output.elementsPerSample(),
                     finput.data<float>());
    backend().gemm({.transposeB = true,
                    .m = nInputPlane_,
                    .n = rows,
                    .k = pixels,
                    .alpha = scale,
                    .a = input.tensor().data<float>() + sample * call.input.elementsPerSample(),
                    .lda = pixels,
                    .b = finput.data<float>(),
                    .ldb = pixels,
                    .beta = 1,
                    .c = gradWeight.data<float>(),
                    .ldc = rows});
  }
  if (hasBias()) {
    backend().accumulateBias({call.output.samples, nOutputPlane_, call.output.pixels()}, scale, dy,
                             gradBias.data<float>());
  }
}

}  // namespace torchette::nn

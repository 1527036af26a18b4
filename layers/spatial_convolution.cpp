#include "layers/spatial_convolution.h"

#include <algorithm>

#include "layers/plane_of_ones.h"
#include "layers/window_geometry.h"
#include "runtime/errors.h"

namespace torchette::nn {

SpatialConvolution::SpatialConvolution(Context context, std::int64_t nInputPlane,
                                       std::int64_t nOutputPlane, std::int64_t kW, std::int64_t kH,
                                       std::int64_t dW, std::int64_t dH, std::int64_t padW,
                                       std::optional<std::int64_t> padH)
    : Convolution(std::move(context), nInputPlane, nOutputPlane,
                  {kW, kH, dW, dH, padW, padH.value_or(padW)}) {
  initialise(nOutputPlane, nInputPlane);
}

WorkspaceStrategy SpatialConvolution::workspaceStrategy() const {
  return chosenStrategy_.value_or(defaultWorkspaceStrategy(backend().name()));
}

void SpatialConvolution::useWorkspaceStrategy(WorkspaceStrategy strategy) {
  chosenStrategy_ = strategy;
  finput.clear();
  fgradInput.clear();
}

SpatialConvolution::Call SpatialConvolution::callFor(const Tensor& input) const {
  const auto images = ImageBatch::of(input);
  requirePlanes(images, nInputPlane_);
  const auto results = images.with(
      nOutputPlane_, windowPositions(images.height, window_.kH, window_.dH, window_.padH),
      windowPositions(images.width, window_.kW, window_.dW, window_.padW));
  requirePixels(images, results);
  return {images,
          results,
          {nInputPlane_, images.height, images.width, window_, results.height, results.width}};
}

void SpatialConvolution::resizeWorkspace(const Call& call) {
  const Shape columns{call.rows(), call.pixels()};
  if (workspaceStrategy() == WorkspaceStrategy::sample) {
    finput.resize(columns);
    makeOnes(call.output);
  } else {
    finput.resize(call.input.isBatch ? columns.inserted(0, call.input.samples) : columns);
  }
}

void SpatialConvolution::updateOutput(const Activity& input) {
  const auto call = callFor(input.tensor());
  resizeWorkspace(call);
  output.tensor().resize(call.output.shape());
  const auto* x = input.tensor().data<float>();
  auto* y = output.tensor().data<float>();
  if (workspaceStrategy() == WorkspaceStrategy::batch) {
    updateOutputByBatch(call, x, y);
  } else {
    updateOutputBySample(call, x, y);
  }
  finput.storage()->announceWrite(path());
  keptVersion_ = finput.storage()->version();
}

void SpatialConvolution::updateOutputByBatch(const Call& call, const float* input, float* result) {
  const auto columnElements = call.rows() * call.pixels();
  backend().forEach(call.input.samples, [&](std::int64_t sample, int) {
    float* columns = finput.data<float>() + sample * columnElements;
    float* y = result + sample * call.output.elementsPerSample();
    backend().im2col(call.columns, input + sample * call.input.elementsPerSample(), columns);
    if (hasBias()) {
      backend().fillBias({1, nOutputPlane_, call.output.pixels()}, bias.data<float>(), y);
    }
    multiplyByWeight(call, columns, y);
  });
}

void SpatialConvolution::updateOutputBySample(const Call& call, const float* input, float* result) {
  for (std::int64_t sample = 0; sample < call.input.samples; ++sample) {
    float* y = result + sample * call.output.elementsPerSample();
    backend().im2col(call.columns, input + sample * call.input.elementsPerSample(),
                     finput.data<float>());
    if (hasBias()) spreadBias(backend(), bias, fgradInput, y);
    multiplyByWeight(call, finput.data<float>(), y);
  }
}

/// result (O x P) = or, over a bias, += weight (O x K) columns (K x P)
void SpatialConvolution::multiplyByWeight(const Call& call, const float* columns,
                                          float* result) const {
  const auto rows = call.rows(), pixels = call.pixels();
  backend().gemm({.m = nOutputPlane_,
                  .n = pixels,
                  .k = rows,
                  .a = weight.data<float>(),
                  .lda = rows,
                  .b = columns,
                  .ldb = pixels,
                  .beta = hasBias() ? 1.0F : 0.0F,
                  .c = result,
                  .ldc = pixels});
}

void SpatialConvolution::updateGradInput(const Activity& input, const Activity& gradOutput) {
  const auto call = callFor(input.tensor());
  const auto* dy = gradOutput.tensor().data<float>();
  const bool isByBatch = workspaceStrategy() == WorkspaceStrategy::batch;
  const auto columnElements = call.rows() * call.pixels();
  gradInput.tensor().resize(call.input.shape());
  if (isByBatch) fgradInput.resize(finput.shape());
  auto* dx = gradInput.tensor().data<float>();
  const auto propagateSample = [&](std::int64_t sample, float* columns) {
    multiplyByWeightTransposed(call, dy + sample * call.output.elementsPerSample(), columns);
    backend().col2im(call.columns, columns, dx + sample * call.input.elementsPerSample());
  };
  if (isByBatch) {
    backend().forEach(call.input.samples, [&](std::int64_t sample, int) {
      propagateSample(sample, fgradInput.data<float>() + sample * columnElements);
    });
    fgradInput.storage()->announceWrite(path());
  } else {
    for (std::int64_t sample = 0; sample < call.input.samples; ++sample) {
      propagateSample(sample, finput.data<float>());
    }
    finput.storage()->announceWrite(path());
  }
}

/// columns (K x P) = weight^T (K x O) gradOutput (O x P)
void SpatialConvolution::multiplyByWeightTransposed(const Call& call, const float* gradOutput,
                                                    float* columns) const {
  const auto rows = call.rows(), pixels = call.pixels();
  backend().gemm({.transposeA = true,
                  .m = rows,
                  .n = pixels,
                  .k = nOutputPlane_,
                  .a = weight.data<float>(),
                  .lda = rows,
                  .b = gradOutput,
                  .ldb = pixels,
                  .c = columns,
                  .ldc = pixels});
}

void SpatialConvolution::requireKeptWorkspace() const {
  const bool isKept = workspaceStrategy() == WorkspaceStrategy::batch;
  if (!isKept || finput.storage()->version() == keptVersion_) return;
  throw StateError(path(), "the columns that forward left in finput have been overwritten by " +
                               finput.storage()->lastWriter() +
                               ", which shares its storage; gradWeight would be wrong. Call "
                               "unshareWorkspaces, or use the workspace strategy sample");
}

void SpatialConvolution::accGradParameters(const Activity& input, const Activity& gradOutput,
                                           float scale) {
  const auto call = callFor(input.tensor());
  const auto* dy = gradOutput.tensor().data<float>();
  if (workspaceStrategy() == WorkspaceStrategy::batch) {
    accumulateByBatch(call, dy, scale);
  } else {
    accumulateBySample(call, input.tensor().data<float>(), dy, scale);
  }
  if (hasBias()) {
    backend().accumulateBias({call.output.samples, nOutputPlane_, call.output.pixels()}, scale, dy,
                             gradBias.data<float>());
  }
}

/// Lanes take slices of the columns' rows, so each element of gradWeight (O x K) has one writer,
/// which adds the samples in order.
void SpatialConvolution::accumulateByBatch(const Call& call, const float* gradOutput, float scale) {
  const auto rows = call.rows(), pixels = call.pixels();
  const std::int64_t slices = std::min<std::int64_t>(backend().lanes(), rows);
  backend().forEach(slices, [&](std::int64_t slice, int) {
    const auto first = rows * slice / slices, end = rows * (slice + 1) / slices;
    for (std::int64_t sample = 0; sample < call.input.samples; ++sample) {
      backend().gemm({.transposeB = true,
                      .m = nOutputPlane_,
                      .n = end - first,
                      .k = pixels,
                      .alpha = scale,
                      .a = gradOutput + sample * call.output.elementsPerSample(),
                      .lda = pixels,
                      .b = finput.data<float>() + (sample * rows + first) * pixels,
                      .ldb = pixels,
                      .beta = 1,
                      .c = gradWeight.data<float>() + first,
                      .ldc = rows});
    }
  });
}

/// gradWeight (O x K) += scale gradOutput (O x P) columns^T (P x K), columns recomputed.
void SpatialConvolution::accumulateBySample(const Call& call, const float* input,
                                            const float* gradOutput, float scale) {
  const auto rows = call.rows(), pixels = call.pixels();
  for (std::int64_t sample = 0; sample < call.input.samples; ++sample) {
    backend().im2col(call.columns, input + sample * call.input.elementsPerSample(),
                     finput.data<float>());
    backend().gemm({.transposeB = true,
                    .m = nOutputPlane_,
                    .n = rows,
                    .k = pixels,
                    .alpha = scale,
                    .a = gradOutput + sample * call.output.elementsPerSample(),
                    .lda = pixels,
                    .b = finput.data<float>(),
                    .ldb = pixels,
                    .beta = 1,
                    .c = gradWeight.data<float>(),
                    .ldc = rows});
  }
}

}  // namespace torchette::nn

#include "layers/spatial_average_pooling.h"

namespace torchette::nn {

SpatialAveragePooling::SpatialAveragePooling(Context context, std::int64_t kW, std::int64_t kH,
                                             std::int64_t dW, std::int64_t dH, std::int64_t padW,
                                             std::int64_t padH)
    : Pooling(std::move(context), {kW, kH, dW, dH, padW, padH}) {}

void SpatialAveragePooling::pool(const PoolingGeometry& geometry, const Tensor& input) {
  backend().averagePool({geometry, countIncludePad_}, input.data<float>(),
                        output.tensor().data<float>());
}

void SpatialAveragePooling::updateGradInput(const Activity& input, const Activity& gradOutput) {
  gradInput.tensor().resize(input.tensor().shape());
  backend().averagePoolBackward({geometryFor(ImageBatch::of(input.tensor())), countIncludePad_},
                                gradOutput.tensor().data<float>(),
                                gradInput.tensor().data<float>());
}

}  // namespace torchette::nn

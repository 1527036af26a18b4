#include "layers/spatial_max_pooling.h"

namespace torchette::nn {

SpatialMaxPooling::SpatialMaxPooling(Context context, std::int64_t kW, std::int64_t kH,
                                     std::optional<std::int64_t> dW, std::optional<std::int64_t> dH,
                                     std::int64_t padW, std::int64_t padH)
    : Pooling(std::move(context), {kW, kH, dW.value_or(kW), dH.value_or(kH), padW, padH}),
      indices(makeTensor("indices", DType::int64)) {}

void SpatialMaxPooling::visitTensors(const TensorVisitor& visit) {
  Module::visitTensors(visit);
  visit("indices", Role::buffer, indices);
}

void SpatialMaxPooling::pool(const PoolingGeometry& geometry, const Tensor& input) {
  indices.resize(output.tensor().shape());
  backend().maxPool(geometry, input.data<float>(), output.tensor().data<float>(),
                    indices.data<std::int64_t>());
}

void SpatialMaxPooling::updateGradInput(const Activity& input, const Activity& gradOutput) {
  gradInput.tensor().resize(input.tensor().shape());
  backend().maxPoolBackward(geometryFor(ImageBatch::of(input.tensor())),
                            gradOutput.tensor().data<float>(), indices.data<std::int64_t>(),
                            gradInput.tensor().data<float>());
}

}  // namespace torchette::nn

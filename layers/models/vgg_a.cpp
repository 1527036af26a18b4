// VGG-A, configuration A of Simonyan and Zisserman, for 224 x 224 colour images and 1000 classes.
#include "layers/linear.h"
#include "layers/models/built_in.h"
#include "layers/relu.h"
#include "layers/soft_max.h"
#include "layers/spatial_convolution.h"
#include "layers/spatial_max_pooling.h"
#include "layers/threshold.h"
#include "layers/view.h"

namespace torchette::nn {

namespace {

/// 3x3 convolutions to the given planes, each rectified in place; pooled after the last one.
void addBlock(Sequential& features, std::int64_t inputPlanes,
              const std::vector<std::int64_t>& outputPlanes) {
  for (const auto planes : outputPlanes) {
    features.add<SpatialConvolution>(inputPlanes, planes, 3, 3, 1, 1, 1, 1);
    features.add<ReLU>(true);
    inputPlanes = planes;
  }
  features.add<SpatialMaxPooling>(2, 2, 2, 2);
}

}  // namespace

void addVggA(Sequential& network) {
  auto& features = network.add<Sequential>("features");
  addBlock(features, 3, {64});
  addBlock(features, 64, {128});
  addBlock(features, 128, {256, 256});
  addBlock(features, 256, {512, 512});
  addBlock(features, 512, {512, 512});
  auto& classifier = network.add<Sequential>("classifier");
  classifier.add<View>(std::vector<std::int64_t>{512 * 7 * 7}).setNumInputDims(3);
  classifier.add<Linear>(512 * 7 * 7, 4096);
  classifier.add<Threshold>(0, 1e-6);
  classifier.add<Linear>(4096, 4096);
  classifier.add<Threshold>(0, 1e-6);
  classifier.add<Linear>(4096, 1000);
  classifier.add<LogSoftMax>();
}

}  // namespace torchette::nn

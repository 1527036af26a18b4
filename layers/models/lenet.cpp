// LeNet, in the sizes that Caffe made common.
#include "layers/linear.h"
#include "layers/models/built_in.h"
#include "layers/relu.h"
#include "layers/soft_max.h"
#include "layers/spatial_convolution.h"
#include "layers/spatial_max_pooling.h"
#include "layers/view.h"

namespace torchette::nn {

void addLenet(Sequential& network) {
  network.add<SpatialConvolution>("conv1", 1, 20, 5, 5);
  network.add<SpatialMaxPooling>("pool1", 2, 2, 2, 2);
  network.add<SpatialConvolution>("conv2", 20, 50, 5, 5);
  network.add<SpatialMaxPooling>("pool2", 2, 2, 2, 2);
  network.add<View>("view", std::vector<std::int64_t>{50 * 4 * 4}).setNumInputDims(3);
  network.add<Linear>("fc1", 50 * 4 * 4, 500);
  network.add<ReLU>("relu", true);
  network.add<Linear>("fc2", 500, 10);
  network.add<LogSoftMax>("logsoftmax");
}

}  // namespace torchette::nn

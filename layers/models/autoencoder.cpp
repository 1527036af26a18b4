// A convolutional autoencoder, small enough to train in a minute, in which both kinds of
// convolution learn.
#include "layers/models/built_in.h"
#include "layers/relu.h"
#include "layers/sigmoid.h"
#include "layers/spatial_convolution.h"
#include "layers/spatial_full_convolution.h"

namespace torchette::nn {

void addAutoencoder(Sequential& network) {
  network.add<SpatialConvolution>("conv1", 1, 16, 4, 4, 2, 2, 1, 1);
  network.add<ReLU>("relu1", true);
  network.add<SpatialConvolution>("conv2", 16, 8, 4, 4, 2, 2, 1, 1);
  network.add<ReLU>("relu2", true);
  network.add<SpatialFullConvolution>("full1", 8, 16, 4, 4, 2, 2, 1, 1);
  network.add<ReLU>("relu3", true);
  network.add<SpatialFullConvolution>("full2", 16, 1, 4, 4, 2, 2, 1, 1);
  network.add<Sigmoid>("sigmoid");
}

}  // namespace torchette::nn

#include "bench/convolution_shapes.h"

#include "layers/spatial_convolution.h"
#include "layers/spatial_full_convolution.h"

namespace torchette::bench {

std::unique_ptr<nn::Convolution> ConvolutionShape::makeLayer(const nn::Context& context) const {
  if (isFull) {
    return nn::build<nn::SpatialFullConvolution>(name, context, inputPlanes, outputPlanes, kernel,
                                                 kernel, stride, stride, pad, pad);
  }
  return nn::build<nn::SpatialConvolution>(name, context, inputPlanes, outputPlanes, kernel, kernel,
                                           stride, stride, pad, pad);
}

const std::vector<ConvolutionShape>& convolutionShapes() {
  static const std::vector<ConvolutionShape> shapes = {
      {"article", false, 16, 3, 32, 4, 4, 2, 1},
      {"lenet_conv1", false, 64, 1, 28, 20, 5, 1, 0},
      {"lenet_conv2", false, 64, 20, 12, 50, 5, 1, 0},
      {"cifar_3x3", false, 64, 64, 32, 64, 3, 1, 1},
      {"vgg_56", false, 8, 64, 56, 64, 3, 1, 1},
      {"vgg_28", false, 8, 128, 28, 128, 3, 1, 1},
      {"vgg_14", false, 8, 256, 14, 256, 3, 1, 1},
      {"resnet_1x1", false, 8, 256, 28, 64, 1, 1, 0},
      {"alexnet_conv1", false, 16, 3, 224, 64, 11, 4, 2},
      {"dcgan_full1", true, 64, 100, 1, 512, 4, 1, 0},
      {"dcgan_full2", true, 64, 512, 4, 256, 4, 2, 1},
      {"dcgan_full4", true, 64, 128, 16, 64, 4, 2, 1},
      {"dcgan_full5", true, 64, 64, 32, 3, 4, 2, 1},
  };
  return shapes;
}

}  // namespace torchette::bench

// Arguments outside their domain are refused when a layer is built.
#include <doctest/doctest.h>

#include <cmath>

#include "layers/dropout.h"
#include "layers/linear.h"
#include "layers/reshape.h"
#include "layers/sequential.h"
#include "layers/spatial_average_pooling.h"
#include "layers/spatial_batch_normalization.h"
#include "layers/spatial_convolution.h"
#include "layers/spatial_full_convolution.h"
#include "layers/spatial_max_pooling.h"
#include "layers/view.h"
#include "runtime/errors.h"
#include "tests/layers/layer_support.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

/// Builds a T as "layer" of a network "net" and checks what is thrown.
template <class T, class... Arguments>
void checkRefused(const std::vector<std::string>& words, Arguments... arguments) {
  const OwnerScope scope("net");
  std::vector<std::string> allWords = words;
  allWords.emplace_back("net/layer");
  checkThrows<ArgumentError>([&] { nn::build<T>("layer", contextOn(cpuBackend()), arguments...); },
                             allWords);
}

using Sizes = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a convolution refuses sizes below one and negative padding") {
  checkRefused<nn::SpatialConvolution>({"nInputPlane is 0", "at least 1"}, 0, 4, 3, 3);
  checkRefused<nn::SpatialConvolution>({"nOutputPlane is -2", "at least 1"}, 3, -2, 3, 3);
  checkRefused<nn::SpatialConvolution>({"kW is 0", "at least 1"}, 3, 4, 0, 3);
  checkRefused<nn::SpatialConvolution>({"kH is -1", "at least 1"}, 3, 4, 3, -1);
  checkRefused<nn::SpatialConvolution>({"dW is 0", "at least 1"}, 3, 4, 3, 3, 0, 1);
  checkRefused<nn::SpatialConvolution>({"dH is 0", "at least 1"}, 3, 4, 3, 3, 1, 0);
  checkRefused<nn::SpatialConvolution>({"padW is -1", "at least 0"}, 3, 4, 3, 3, 1, 1, -1, 0);
  checkRefused<nn::SpatialConvolution>({"padH is -3", "at least 0"}, 3, 4, 3, 3, 1, 1, 0, -3);
}

TEST_CASE("a full convolution refuses sizes below one and negative padding") {
  checkRefused<nn::SpatialFullConvolution>({"nInputPlane is 0"}, 0, 4, 3, 3);
  checkRefused<nn::SpatialFullConvolution>({"nOutputPlane is 0"}, 3, 0, 3, 3);
  checkRefused<nn::SpatialFullConvolution>({"kW is 0"}, 3, 4, 0, 3);
  checkRefused<nn::SpatialFullConvolution>({"dH is -1"}, 3, 4, 3, 3, 1, -1);
  checkRefused<nn::SpatialFullConvolution>({"padW is -1"}, 3, 4, 3, 3, 1, 1, -1);
}

TEST_CASE("a full convolution refuses an adjustment that is not below its stride") {
  checkRefused<nn::SpatialFullConvolution>({"adjW is 2", "smaller than dW", "which is 2"}, 4, 3, 3,
                                           3, 2, 3, 1, 1, 2, 0);
  checkRefused<nn::SpatialFullConvolution>({"adjH is 5", "smaller than dH", "which is 3"}, 4, 3, 3,
                                           3, 2, 3, 1, 1, 0, 5);
  checkRefused<nn::SpatialFullConvolution>({"adjW is -1", "at least 0"}, 4, 3, 3, 3, 2, 2, 1, 1, -1,
                                           0);
}

TEST_CASE("pooling refuses sizes below one and padding over half the kernel") {
  checkRefused<nn::SpatialMaxPooling>({"kW is 0"}, 0, 2);
  checkRefused<nn::SpatialMaxPooling>({"dH is 0"}, 2, 2, 2, 0);
  checkRefused<nn::SpatialMaxPooling>({"padH is -1"}, 2, 2, 2, 2, 0, -1);
  checkRefused<nn::SpatialMaxPooling>({"padW is 2", "half the kernel", "is 2"}, 2, 2, 2, 2, 2, 0);
  checkRefused<nn::SpatialMaxPooling>({"padH is 2", "half the kernel", "is 3"}, 3, 3, 2, 2, 1, 2);
  checkRefused<nn::SpatialAveragePooling>({"kH is 0"}, 2, 0);
  checkRefused<nn::SpatialAveragePooling>({"padW is 3", "half the kernel"}, 5, 5, 1, 1, 3, 0);
}

TEST_CASE("Linear and batch normalisation refuse sizes below one") {
  checkRefused<nn::Linear>({"inputSize is 0", "at least 1"}, 0, 2);
  checkRefused<nn::Linear>({"outputSize is -1", "at least 1"}, 2, -1);
  checkRefused<nn::SpatialBatchNormalization>({"nFeature is 0", "at least 1"}, 0);
}

TEST_CASE("View and Reshape refuse sizes that are not sizes") {
  checkRefused<nn::View>({"{}", "at least one"}, Sizes{});
  checkRefused<nn::View>({"{3, 0}", "at least 1", "one may be -1"}, Sizes{3, 0});
  checkRefused<nn::View>({"{-1, -1}"}, Sizes{-1, -1});
  checkRefused<nn::View>({"{-2}"}, Sizes{-2});
  checkRefused<nn::Reshape>({"{}"}, Sizes{});
  checkRefused<nn::Reshape>({"{-1}", "at least 1"}, Sizes{-1});
}

TEST_CASE("Dropout refuses a probability outside zero to one") {
  checkRefused<nn::Dropout>({"p is -0.1", "at least 0 and below 1"}, -0.1);
  checkRefused<nn::Dropout>({"p is 1", "at least 0 and below 1"}, 1.0);
  checkRefused<nn::Dropout>({"p is nan"}, std::nan(""));
  CHECK_NOTHROW(nn::Dropout(contextOn(cpuBackend()), 0.0));
}

TEST_CASE("a container refuses an index outside its modules") {
  const auto net = nn::build<nn::Sequential>("net", contextOn(cpuBackend()));
  net->add<nn::Linear>(2, 3);
  CHECK(&net->get(0) == net->children()[0]);
  checkThrows<ArgumentError>([&] { net->get(1); }, {"net", "module 1", "nn.Sequential", "has 1"});
  checkThrows<ArgumentError>([&] { net->get(-1); }, {"net", "module -1", "count from 0"});
}

TEST_CASE("an unknown strategy is refused with the names there are") {
  checkThrows<ArgumentError>([] { nn::workspaceStrategyNamed("tiny"); },
                             {"'tiny'", "batch", "sample"});
}

}  // namespace torchette::testing

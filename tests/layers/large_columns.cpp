// Columns of more than 2^31 elements: sizes are computed in 64 bits.
#include <doctest/doctest.h>

#include "layers/window_geometry.h"
#include "runtime/allocators.h"
#include "runtime/errors.h"
#include "tests/layers/layer_support.h"
#include "tests/support/check_throws.h"

namespace torchette::testing {

namespace {

/// A backend of which no more than 1 GiB can be had.
std::shared_ptr<Backend> limitedBackend() {
  const auto unlimited = cpuBackend();
  return backendOver(*unlimited, std::make_shared<LimitingAllocator>(
                                     unlimited->allocator(), ledger(), std::int64_t{1} << 30));
}

/// Not initialised: 530 MB that nobody touches stay virtual.
Tensor hugeImage(Backend& backend) {
  Tensor image(backend.allocator(), "image");
  image.resize({1, 64, 1080, 1920});
  return image;
}

}  // namespace

TEST_CASE("columns of 3317760000 elements are asked for by their exact shape and bytes") {
  const auto backend = limitedBackend();
  const auto image = hugeImage(*backend);
  const auto layer = moduleOn(backend, "nn.SpatialConvolution(64,1,5,5,1,1,2,2)");
  layer->setWorkspaceStrategy(nn::WorkspaceStrategy::batch);
  checkThrows<MemoryError>([&] { layer->forward(image); },
                           {"net: ", "finput of size 1x1600x2073600", "13271040000 bytes"});
  layer->setWorkspaceStrategy(nn::WorkspaceStrategy::sample);
  checkThrows<MemoryError>([&] { layer->forward(image); },
                           {"net: ", "finput of size 1600x2073600", "13271040000 bytes"});
  CHECK(heldBytesBelow("net") == 2 * (1600 + 1) * 4);
}

TEST_CASE("columns of a full convolution of 3317760000 elements are asked for likewise") {
  const auto backend = limitedBackend();
  const auto image = hugeImage(*backend);
  const auto layer = moduleOn(backend, "nn.SpatialFullConvolution(64,64,5,5,1,1,2,2)");
  checkThrows<MemoryError>([&] { layer->forward(image); },
                           {"net: ", "finput of size 1600x2073600", "13271040000 bytes"});
}

TEST_CASE("window arithmetic is exact beyond 32 bits") {
  constexpr std::int64_t extent = 10'000'000'000;
  CHECK(nn::windowPositions(extent, 3, 1, 1) == extent);
  CHECK(nn::windowPositions(extent, 4, 2, 1) == extent / 2);
  CHECK(nn::windowPositionsCeil(extent, 3, 2, 0) == extent / 2);
  CHECK(nn::windowSpan(extent, 4, 2, 1, 0) == 2 * extent);
  const ColumnsGeometry columns{64, 1080, 1920, {5, 5, 1, 1, 2, 2}, 1080, 1920};
  CHECK(columns.rows() * columns.pixels() == 3'317'760'000);
}

TEST_CASE("window positions round down or up and never start in the padding behind") {
  CHECK(nn::windowPositions(5, 2, 2, 0) == 2);
  CHECK(nn::windowPositionsCeil(5, 2, 2, 0) == 3);
  CHECK(nn::windowPositionsCeil(4, 2, 2, 0) == 2);
  CHECK(nn::windowPositionsCeil(5, 2, 2, 1) == 3);
  CHECK(nn::windowPositionsCeil(6, 2, 2, 1) == 4);
  CHECK(nn::windowPositions(3, 5, 1, 0) == -1);
  CHECK(nn::windowPositions(2, 3, 2, 0) == 0);
  CHECK(nn::windowPositionsCeil(2, 5, 2, 0) == 0);
}

}  // namespace torchette::testing

// How many positions a sliding window has in an image, and the checks on its numbers.
#pragma once

#include <string>

#include "backends/kernels/geometry.h"

namespace torchette::nn {

/// Positions of a window along one axis: floor((extent + 2 pad - kernel) / stride) + 1; below 1 if
/// it does not fit once.
std::int64_t windowPositions(std::int64_t extent, std::int64_t kernel, std::int64_t stride,
                             std::int64_t pad);
/// The same rounded up, without a last window that would start in the padding behind the image.
/// Source: Torch7 nn, SpatialMaxPooling in ceil mode.
std::int64_t windowPositionsCeil(std::int64_t extent, std::int64_t kernel, std::int64_t stride,
                                 std::int64_t pad);
/// Extent that `positions` windows span: (positions - 1) stride - 2 pad + kernel + adjustment.
std::int64_t windowSpan(std::int64_t positions, std::int64_t kernel, std::int64_t stride,
                        std::int64_t pad, std::int64_t adjustment);

/// Throws ArgumentError, naming the current owner, unless value >= minimum.
void requireAtLeast(std::int64_t minimum, std::int64_t value, const char* name);
/// Kernels and strides at least 1, padding at least 0.
void requireWindow(const Window& window);

/// Torch7's "4x3, 2,1, 1,0": kernel, stride, padding. Stride appears where it is not 1 or there is
/// padding.
std::string describeWindow(const Window& window);
/// The same with the stride always shown, as Torch7 prints pooling layers.
std::string describePoolingWindow(const Window& window);

}  // namespace torchette::nn

#include "layers/window_geometry.h"

#include "runtime/errors.h"
#include "runtime/owner_scope.h"

namespace torchette::nn {

namespace {

/// Rounds towards minus infinity; divisor > 0.
std::int64_t floorDivide(std::int64_t dividend, std::int64_t divisor) {
  const auto quotient = dividend / divisor;
  return dividend % divisor < 0 ? quotient - 1 : quotient;
}

std::string pairText(std::int64_t w, std::int64_t h, const char* separator) {
  return std::to_string(w) + separator + std::to_string(h);
}

}  // namespace

std::int64_t windowPositions(std::int64_t extent, std::int64_t kernel, std::int64_t stride,
                             std::int64_t pad) {
  return floorDivide(extent + 2 * pad - kernel, stride) + 1;
}

std::int64_t windowPositionsCeil(std::int64_t extent, std::int64_t kernel, std::int64_t stride,
                                 std::int64_t pad) {
  const auto positions = floorDivide(extent + 2 * pad - kernel + stride - 1, stride) + 1;
  const bool startsInPadding = pad > 0 && (positions - 1) * stride >= extent + pad;
  return startsInPadding ? positions - 1 : positions;
}

std::int64_t windowSpan(std::int64_t positions, std::int64_t kernel, std::int64_t stride,
                        std::int64_t pad, std::int64_t adjustment) {
  return (positions - 1) * stride - 2 * pad + kernel + adjustment;
}

void requireAtLeast(std::int64_t minimum, std::int64_t value, const char* name) {
  if (value < minimum) {
    throw ArgumentError(OwnerScope::current(), std::string(name) + " is " + std::to_string(value) +
                                                   "; it must be at least " +
                                                   std::to_string(minimum));
  }
}

void requireWindow(const Window& window) {
  requireAtLeast(1, window.kW, "kW");
  requireAtLeast(1, window.kH, "kH");
  requireAtLeast(1, window.dW, "dW");
  requireAtLeast(1, window.dH, "dH");
  requireAtLeast(0, window.padW, "padW");
  requireAtLeast(0, window.padH, "padH");
}

std::string describeWindow(const Window& window) {
  const bool isPlain = window.dW == 1 && window.dH == 1 && window.padW == 0 && window.padH == 0;
  return isPlain ? pairText(window.kW, window.kH, "x") : describePoolingWindow(window);
}

std::string describePoolingWindow(const Window& window) {
  const bool isPadded = window.padW != 0 || window.padH != 0;
  return pairText(window.kW, window.kH, "x") + ", " + pairText(window.dW, window.dH, ",") +
         (isPadded ? ", " + pairText(window.padW, window.padH, ",") : "");
}

}  // namespace torchette::nn

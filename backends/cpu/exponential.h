// Exponential functions without branches, tables or calls, so that loops over them vectorise.
// Errors stay below 2 units in the last place; NaN stays NaN.
#pragma once

#include <bit>
#include <cstdint>

namespace torchette::cpu {

/// exp(x) - 1 = 2^n (expm1(r) + 1) - 1, where x = n ln 2 + r and |r| <= ln(2) / 2.
struct ReducedExponential {
  float powerOfTwo;  ///< 2^n; 0 for n = -127, infinity for n = 128
  float remainder;   ///< expm1(r)
};

/// x in [-88, 89].
inline ReducedExponential reduceExponential(float x) {
  constexpr float log2OfE = 1.44269504F;
  constexpr float ln2High = 0.693145752F;    // few bits, so that n * ln2High is exact
  constexpr float ln2Low = 1.42860677e-6F;   // ln 2 - ln2High
  constexpr float roundingShift = 12582912;  // 1.5 * 2^23: adding it rounds to an integer
  const float shifted = x * log2OfE + roundingShift;
  const float n = shifted - roundingShift;
  const float r = (x - n * ln2High) - n * ln2Low;
  // The Taylor series; the first term left out is below 2e-8 of the sum.
  float series = 1.0F / 5040;
  series = series * r + 1.0F / 720;
  series = series * r + 1.0F / 120;
  series = series * r + 1.0F / 24;
  series = series * r + 1.0F / 6;
  series = series * r + 0.5F;
  const std::uint32_t exponentBits = (std::bit_cast<std::uint32_t>(shifted) + 127U) << 23U;
  return {std::bit_cast<float>(exponentBits), r + r * r * series};
}

inline float clamp(float x, float low, float high) {
  const float notAbove = x > high ? high : x;
  return notAbove < low ? low : notAbove;
}

/// exp(x); 0 where the result would be denormal, infinity from x = 88.4 on.
inline float exponential(float x) {
  const ReducedExponential reduced = reduceExponential(clamp(x, -88, 89));
  return reduced.powerOfTwo * (1 + reduced.remainder);
}

inline float sigmoid(float x) { return 1 / (1 + exponential(-x)); }

/// Accurate near 0 too, because it goes through exp(2|x|) - 1; 1 in float from |x| = 9.02 on.
inline float hyperbolicTangent(float x) {
  const ReducedExponential reduced = reduceExponential(clamp(2 * (x < 0 ? -x : x), 0, 20));
  const float expMinusOne = reduced.powerOfTwo * reduced.remainder + (reduced.powerOfTwo - 1);
  const float magnitude = expMinusOne / (expMinusOne + 2);
  return x < 0 ? -magnitude : magnitude;
}

}  // namespace torchette::cpu

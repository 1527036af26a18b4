// Generator: Torch7's random stream, so that one seed gives Torch7's numbers.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace torchette {

/// mt19937 drawn from as Torch7's default generator draws: the sequence of calls after
/// manualSeed(seed) yields the values that torch.random, torch.uniform, ... yield.
class Generator {
 public:
  explicit Generator(std::uint32_t seed = 5489) { manualSeed(seed); }
  void manualSeed(std::uint32_t seed);

  /// 32 random bits.
  std::uint32_t random();
  /// In [from, to).
  double uniform(double from = 0, double to = 1);
  /// Box-Muller; two draws give two values, the second is kept for the next call.
  double normal(double mean = 0, double standardDeviation = 1);
  /// True with probability p in [0, 1].
  bool bernoulli(double p);
  /// The numbers 0 to count - 1 in random order (Torch7's randperm counts from 1).
  std::vector<std::int64_t> permutation(std::int64_t count);

  /// The complete state as text; restore() continues the stream from there.
  std::string state() const;
  /// Throws ArgumentError if `state` did not come from state().
  void restore(const std::string& state);

 private:
  std::mt19937 engine_;
  double radius_ = 0;
  double angle_ = 0;
  bool hasSecondNormal_ = false;
};

}  // namespace torchette

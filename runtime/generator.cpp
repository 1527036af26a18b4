// The arithmetic of Torch7's random stream.
#include "runtime/generator.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <sstream>

#include "runtime/errors.h"

namespace torchette {

void Generator::manualSeed(std::uint32_t seed) {
  engine_.seed(seed);
  hasSecondNormal_ = false;
}

std::uint32_t Generator::random() { return static_cast<std::uint32_t>(engine_()); }

double Generator::uniform(double from, double to) {
  constexpr double step = 1.0 / 4294967296.0;
  return random() * step * (to - from) + from;
}

double Generator::normal(double mean, double standardDeviation) {
  hasSecondNormal_ = !hasSecondNormal_;
  if (hasSecondNormal_) {
    angle_ = 2 * std::numbers::pi * uniform();
    radius_ = std::sqrt(-2 * std::log(1 - uniform()));
    return radius_ * std::cos(angle_) * standardDeviation + mean;
  }
  return radius_ * std::sin(angle_) * standardDeviation + mean;
}

bool Generator::bernoulli(double p) { return uniform() <= p; }

std::vector<std::int64_t> Generator::permutation(std::int64_t count) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    std::swap(numbers[i], numbers[i + random() % (numbers.size() - i)]);
  }
  return numbers;
}

std::string Generator::state() const {
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  text << hasSecondNormal_ << ' ' << radius_ << ' ' << angle_ << ' ' << engine_;
  return text.str();
}

void Generator::restore(const std::string& state) {
  std::istringstream text(state);
  Generator restored;
  text >> restored.hasSecondNormal_ >> restored.radius_ >> restored.angle_ >> restored.engine_;
  if (!text) throw ArgumentError("", "this is not the state of a random generator");
  *this = restored;
}

}  // namespace torchette

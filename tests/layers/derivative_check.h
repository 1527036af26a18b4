// Derivatives of modules against finite differences.
#pragma once

#include <string>
#include <vector>

#include "tests/layers/layer_support.h"

namespace torchette::testing {

/// How far the finite differences go, and how close they must come to backward's gradients (see
/// checkClose for what a tolerance is relative to).
struct DifferenceSettings {
  float step;
  double tolerance;
};

/// For modules that are linear in each input and parameter: a long step costs no accuracy.
constexpr DifferenceSettings linearDifferences{.step = 0.125F, .tolerance = 2e-4};
/// For all others. Half the distance of spacedValues() for up to 120 elements: no maximum changes
/// its place and no element its sign.
constexpr DifferenceSettings smoothDifferences{.step = 1.0F / 128, .tolerance = 3e-3};

/// Distinct values in [-1, 1], evenly spaced, in random order, none closer to 0 than half the
/// spacing.
std::vector<float> spacedValues(std::int64_t elements, std::uint32_t seed);

/// What the check varies: a module, its mode, the shape of its input.
struct DerivativeCase {
  std::string expression;
  Shape input;
  DifferenceSettings settings = smoothDifferences;
  bool isTraining = true;
};

/// Compares gradInput and all parameter gradients of sum(output * r), r random, with central
/// differences of that sum, which is formed in double. Random numbers are the same at each forward.
void checkDerivatives(const std::shared_ptr<Backend>& backend, const DerivativeCase& testCase,
                      nn::WorkspaceStrategy strategy);

/// The same for all cases with each strategy.
void checkDerivatives(const std::shared_ptr<Backend>& backend,
                      const std::vector<DerivativeCase>& cases);

}  // namespace torchette::testing

// One module, input and gradOutput for which Torch7's results are known (tests/golden/README.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "layers/module.h"
#include "tests/layers/layer_support.h"

namespace torchette::testing {

/// Values count as equal within 1e-5 of the expected one, or of a tenth of the largest expected
/// value of the tensor where that is more (see checkClose).
constexpr double goldenTolerance = 1e-5;

/// A tensor, or a table for a list of tensors.
nn::Activity goldenActivity(Backend& backend, const nlohmann::json& value);

/// Checks shapes and values.
void checkGolden(const nn::Activity& actual, const nlohmann::json& expected);

/// Sets the flag, the parameters and the running statistics of the file, forwards `prev_inputs`,
/// then checks one forward and one backward, a second backward with scale 0.5 where the file has
/// its result, and everything else that the file tells about the module.
void checkGoldenModule(const std::shared_ptr<Backend>& backend, const std::string& fileName,
                       nn::WorkspaceStrategy strategy);

/// The same for "name__1.json" to "name__<count>.json" with each strategy.
void checkGoldenModules(const std::shared_ptr<Backend>& backend, const std::string& name,
                        int count);

}  // namespace torchette::testing

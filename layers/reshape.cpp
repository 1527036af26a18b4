#include "layers/reshape.h"

#include "layers/size_list.h"
#include "runtime/errors.h"

namespace torchette::nn {

namespace {

Shape checkedShape(std::vector<std::int64_t> sizes) {
  requireSizes(sizes, /*mayInferOne=*/false);
  return Shape(std::move(sizes));
}

}  // namespace

Reshape::Reshape(Context context, std::vector<std::int64_t> sizes, std::optional<bool> batchMode)
    : Module(std::move(context)), sizes_(checkedShape(std::move(sizes))), batchMode_(batchMode) {}

std::string Reshape::description() const { return type() + "(" + sizes_.toString() + ")"; }

void Reshape::updateOutput(const Activity& input) {
  const auto& x = input.tensor();
  if (x.rank() == 0)
    throw ShapeError(path(), "expected an input with dimensions, got an empty one");
  const bool isOneSample = x.elements() == sizes_.elements() && x.size(0) != 1;
  const bool isBatch = batchMode_.value_or(!isOneSample);
  output.tensor().set(x.view(isBatch ? sizes_.inserted(0, x.size(0)) : sizes_));
}

void Reshape::updateGradInput(const Activity& input, const Activity& gradOutput) {
  gradInput.tensor().set(gradOutput.tensor().view(input.tensor().shape()));
}

}  // namespace torchette::nn

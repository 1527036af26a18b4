#include "layers/view.h"

#include <algorithm>

#include "layers/size_list.h"
#include "runtime/errors.h"

namespace torchette::nn {

View::View(Context context, std::vector<std::int64_t> sizes)
    : Module(std::move(context)), sizes_(std::move(sizes)) {
  requireSizes(sizes_, /*mayInferOne=*/true);
}

std::string View::description() const { return type() + "(" + joined(sizes_, ", ") + ")"; }

View& View::setNumInputDims(int dimensions) {
  numInputDims_ = dimensions;
  return *this;
}

/// Source: Torch7 nn, View: the batch size is what the sizes leave of the last numInputDims
/// dimensions, times the dimensions in front of them.
Shape View::shapeFor(const Shape& input) const {
  const int sampleDims = std::min(numInputDims_.value_or(input.rank()), input.rank());
  const bool infersOne = std::ranges::count(sizes_, -1) > 0;
  std::int64_t named = 1, sampleElements = 1, batch = 1;
  for (const auto size : sizes_) named *= std::max<std::int64_t>(size, 1);
  for (int i = 0; i < input.rank(); ++i) {
    (i < input.rank() - sampleDims ? batch : sampleElements) *= input[i];
  }
  const auto rest = sampleElements / named;
  if (rest * named != sampleElements) {
    throw ShapeError(path(), "an input of size " + input.toString() + " cannot be viewed as " +
                                 joined(sizes_, "x") + "; it has " +
                                 std::to_string(sampleElements) + " elements to divide by " +
                                 std::to_string(named));
  }
  auto sizes = sizes_;
  if (infersOne) {
    std::ranges::replace(sizes, -1, rest);
  } else {
    batch *= rest;
  }
  const bool hasBatch = batch != 1 || input.rank() > sampleDims;
  return hasBatch ? Shape(std::move(sizes)).inserted(0, batch) : Shape(std::move(sizes));
}

void View::updateOutput(const Activity& input) {
  output.tensor().set(input.tensor().view(shapeFor(input.tensor().shape())));
}

void View::updateGradInput(const Activity& input, const Activity& gradOutput) {
  gradInput.tensor().set(gradOutput.tensor().view(input.tensor().shape()));
}

}  // namespace torchette::nn

#include "layers/c_add_table.h"

#include "runtime/errors.h"

namespace torchette::nn {

void CAddTable::updateOutput(const Activity& input) {
  const auto& table = input.table();
  if (table.empty()) throw ShapeError(path(), "expected at least one tensor, got an empty table");
  const auto& first = table.front().tensor();
  for (const auto& entry : table) {
    if (entry.tensor().shape() != first.shape()) {
      throw ShapeError(path(), "expected tensors of one size, got " + input.shapeText());
    }
  }
  auto& sum = output.tensor();
  if (inplace_) {
    sum.set(first);
  } else {
    sum.resize(first.shape());
    backend().scale(sum.elements(), 1, first.data<float>(), sum.data<float>());
  }
  for (std::size_t i = 1; i < table.size(); ++i) {
    backend().addScaled(sum.elements(), 1, table[i].tensor().data<float>(), sum.data<float>());
  }
}

void CAddTable::updateGradInput(const Activity& input, const Activity& gradOutput) {
  const auto& dy = gradOutput.tensor();
  std::vector<Activity> gradients;
  for (std::size_t i = 0; i < input.table().size(); ++i) {
    gradients.push_back(inplace_ ? dy : copiedGradient(i, dy));
  }
  gradInput = std::move(gradients);
}

Tensor CAddTable::copiedGradient(std::size_t i, const Tensor& gradOutput) const {
  const bool isThere = !gradInput.isTensor() && i < gradInput.table().size();
  Tensor copy = isThere ? gradInput.table()[i].tensor() : makeTensor("gradInput");
  copy.resize(gradOutput.shape());
  copy.copyFrom(gradOutput);
  return copy;
}

}  // namespace torchette::nn

#include "layers/concat_table.h"

#include "runtime/errors.h"

namespace torchette::nn {

std::string ConcatTable::description() const {
  std::string lines = "  input\n";
  for (std::int64_t i = 0; i < size(); ++i) {
    const bool isLast = i + 1 == size();
    lines += std::string("    ") + (isLast ? " `-> (" : "|`-> (") + std::to_string(i + 1) +
             "): " + indented(get(i).description(), isLast ? "         " : "    |    ") + "\n";
  }
  return type() + " {\n" + lines + "     ... -> output\n}";
}

void ConcatTable::updateOutput(const Activity& input) {
  std::vector<Activity> outputs;
  for (auto* child : children()) outputs.push_back(propagate(*child, input));
  output = std::move(outputs);
}

void ConcatTable::updateGradInput(const Activity& input, const Activity& gradOutput) {
  auto& sum = gradInput.tensor();
  sum.resize(input.tensor().shape());
  sum.zero();
  for (std::int64_t i = 0; i < size(); ++i) {
    const auto& gradients = gradOutput.table();
    const auto& term =
        propagateGradient(get(i), input, gradients[static_cast<std::size_t>(i)]).tensor();
    backend().addScaled(sum.elements(), 1, term.data<float>(), sum.data<float>());
  }
}

void ConcatTable::accGradParameters(const Activity& input, const Activity& gradOutput,
                                    float scale) {
  for (auto i = size(); i-- > 0;) {
    accumulate(get(i), input, gradOutput.table()[static_cast<std::size_t>(i)], scale);
  }
}

}  // namespace torchette::nn

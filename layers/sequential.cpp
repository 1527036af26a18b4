#include "layers/sequential.h"

namespace torchette::nn {

std::string Sequential::description() const {
  std::string chain = "[input -> ";
  std::string lines;
  for (std::int64_t i = 0; i < size(); ++i) {
    const auto number = "(" + std::to_string(i + 1) + ")";
    chain += number + " -> ";
    lines += "  " + number + ": " + indented(get(i).description(), "  ") + "\n";
  }
  return type() + " {\n  " + chain + "output]\n" + lines + "}";
}

void Sequential::updateOutput(const Activity& input) {
  const Activity* current = &input;
  for (auto* child : children()) current = &propagate(*child, *current);
  output = *current;
}

void Sequential::updateGradInput(const Activity& input, const Activity& gradOutput) {
  const Activity* gradient = &gradOutput;
  for (auto i = size(); i-- > 0;) {
    gradient = &propagateGradient(get(i), i == 0 ? input : get(i - 1).output, *gradient);
  }
  gradInput = *gradient;
}

void Sequential::accGradParameters(const Activity& input, const Activity& gradOutput, float scale) {
  for (auto i = size(); i-- > 0;) {
    accumulate(get(i), i == 0 ? input : get(i - 1).output,
               i == size() - 1 ? gradOutput : get(i + 1).gradInput, scale);
  }
}

}  // namespace torchette::nn

#include "layers/number_text.h"

#include <iomanip>
#include <sstream>

namespace torchette::nn {

std::string numberText(double value) {
  std::ostringstream text;
  text << std::setprecision(7) << value;
  return text.str();
}

std::string fixedNumberText(double value) { return std::to_string(value); }

}  // namespace torchette::nn

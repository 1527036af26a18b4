#include "layers/threshold.h"

#include "layers/number_text.h"
#include "runtime/errors.h"

namespace torchette::nn {

Threshold::Threshold(Context context, double threshold, double value, bool inplace)
    : Elementwise(std::move(context),
                  {.kind = Activation::Kind::threshold,
                   .threshold = static_cast<float>(threshold),
                   .value = static_cast<float>(value)},
                  inplace) {
  if (inplace && value > threshold) {
    throw ArgumentError(path(), "in place, the value is " + numberText(value) +
                                    "; it must not exceed the threshold, which is " +
                                    numberText(threshold));
  }
}

}  // namespace torchette::nn

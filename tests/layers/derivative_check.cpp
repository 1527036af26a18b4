// Central differences of sum(output * r) by every input element and every parameter.
#include "tests/layers/derivative_check.h"

#include <functional>

#include "layers/models/expression.h"

namespace torchette::testing {

namespace {

using Floats = std::vector<float>;

/// A module and the loss sum(output * r).
class DerivativeCheck {
 public:
  DerivativeCheck(const std::shared_ptr<Backend>& backend, const DerivativeCase& testCase,
                  nn::WorkspaceStrategy strategy)
      : backend_(*backend),
        context_(contextOn(backend, 11)),
        module_(nn::moduleFromExpression(testCase.expression, context_)),
        shape_(testCase.input),
        settings_(testCase.settings),
        input_(spacedValues(shape_.elements(), 12)) {
    module_->setWorkspaceStrategy(strategy);
    setStatistics();
    if (!testCase.isTraining) module_->evaluate();
    weights_ = randomValues(forward(input_).tensor().elements(), 13);
  }

  void check() {
    computeGradients();
    const auto lossOfInput = [this](const Floats& input) { return loss(input); };
    checkClose(gradInput_, differences(input_, lossOfInput), settings_.tolerance);
    const auto [values, gradients] = module_->parameters();
    for (std::size_t i = 0; i < values.size(); ++i) {
      INFO("parameter ", i);
      checkParameter(*values[i], gradients_[i]);
    }
  }

 private:
  /// Running statistics that differ from those of the input, for evaluation.
  void setStatistics() {
    module_->forEachModule([](nn::Module& part) {
      part.visitTensors([](std::string_view, nn::Role role, Tensor& tensor) {
        if (role != nn::Role::state) return;
        auto values = randomValues(tensor.elements(), 14);
        for (auto& value : values) value = 0.75F + value / 4;
        tensor.copyFromValues(values);
      });
    });
  }

  const nn::Activity& forward(const Floats& input) {
    context_.generator->manualSeed(15);
    lastInput_ = tensor(backend_, shape_, input);
    return module_->forward(lastInput_);
  }

  double loss(const Floats& input) {
    const auto output = valuesOf(forward(input));
    double sum = 0;
    for (std::size_t i = 0; i < output.size(); ++i) {
      sum += static_cast<double>(output[i]) * static_cast<double>(weights_[i]);
    }
    return sum;
  }

  void computeGradients() {
    module_->zeroGradParameters();
    const auto& output = forward(input_);
    const auto gradOutput = tensor(backend_, output.tensor().shape(), weights_);
    gradInput_ = valuesOf(module_->backward(lastInput_, gradOutput));
    for (const auto* gradient : module_->parameters().gradients) {
      gradients_.push_back(valuesOf(*gradient));
    }
  }

  void checkParameter(const Tensor& parameter, const Floats& gradient) {
    const auto original = valuesOf(parameter);
    const auto expected = differences(original, [&](const Floats& values) {
      parameter.copyFromValues(values);
      return loss(input_);
    });
    parameter.copyFromValues(original);
    checkClose(gradient, expected, settings_.tolerance);
  }

  Floats differences(const Floats& at, const std::function<double(const Floats&)>& function) const {
    Floats result, values = at;
    for (std::size_t i = 0; i < at.size(); ++i) {
      values[i] = at[i] + settings_.step;
      const double above = function(values), x1 = values[i];
      values[i] = at[i] - settings_.step;
      const double below = function(values), x0 = values[i];
      values[i] = at[i];
      result.push_back(static_cast<float>((above - below) / (x1 - x0)));
    }
    return result;
  }

  Backend& backend_;
  nn::Context context_;
  std::unique_ptr<nn::Module> module_;
  Shape shape_;
  DifferenceSettings settings_;
  Floats input_, weights_;
  Tensor lastInput_;
  Floats gradInput_;
  std::vector<Floats> gradients_;
};

}  // namespace

std::vector<float> spacedValues(std::int64_t elements, std::uint32_t seed) {
  Floats values;
  const auto count = static_cast<double>(elements);
  for (const auto rank : Generator(seed).permutation(elements)) {
    values.push_back(static_cast<float>((2 * static_cast<double>(rank) + 1) / count - 1));
  }
  // An odd count puts one value on 0, where nothing is differentiable that has a kink.
  for (auto& value : values) value += elements % 2 == 0 ? 0.0F : static_cast<float>(0.5 / count);
  return values;
}

void checkDerivatives(const std::shared_ptr<Backend>& backend, const DerivativeCase& testCase,
                      nn::WorkspaceStrategy strategy) {
  INFO(testCase.expression, " on ", testCase.input.toString());
  DerivativeCheck(backend, testCase, strategy).check();
}

void checkDerivatives(const std::shared_ptr<Backend>& backend,
                      const std::vector<DerivativeCase>& cases) {
  forEachStrategy([&](nn::WorkspaceStrategy strategy) {
    for (const auto& testCase : cases) checkDerivatives(backend, testCase, strategy);
  });
}

}  // namespace torchette::testing

// View: the same elements under another shape, without a copy.
#pragma once

#include <optional>

#include "layers/module.h"

namespace torchette::nn {

/// Keeps a batch dimension in front where the input holds more elements than the sizes name. As in
/// Torch7, a batch of one loses its dimension unless setNumInputDims says how many dimensions one
/// sample has. gradInput is a view too.
class View final : public Module {
 public:
  /// One size may be -1: it takes what is left. Throws ArgumentError for other sizes below 1 or no
  /// size.
  View(Context context, std::vector<std::int64_t> sizes);

  std::string type() const override { return "nn.View"; }
  std::string description() const override;

  View& setNumInputDims(int dimensions);

 protected:
  void updateOutput(const Activity& input) override;
  void updateGradInput(const Activity& input, const Activity& gradOutput) override;

 private:
  Shape shapeFor(const Shape& input) const;

  std::vector<std::int64_t> sizes_;
  std::optional<int> numInputDims_;
};

}  // namespace torchette::nn

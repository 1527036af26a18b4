// Tensors that are not contiguous give what contiguous ones of the same values give.
#include <doctest/doctest.h>

#include "layers/criteria/class_nll_criterion.h"
#include "layers/criteria/mse_criterion.h"
#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

/// A view of a larger tensor.
Tensor narrowed(Backend& backend, const Tensor& values) {
  const int last = values.rank() - 1;
  const auto extent = values.size(last);
  const auto view =
      randomTensor(backend, values.shape().with(last, extent + 3), 61).narrow(last, 2, extent);
  view.copyFrom(values);
  return view;
}

/// First and last dimension lie in memory in each other's place.
Tensor transposed(Backend& backend, const Tensor& values) {
  const int last = values.rank() - 1;
  const Shape stored = values.shape().with(0, values.size(last)).with(last, values.size(0));
  const auto view = randomTensor(backend, stored, 62).transpose(0, last);
  view.copyFrom(values);
  return view;
}

struct Results {
  std::vector<float> output, gradInput, gradients;

  bool operator==(const Results&) const = default;
};

using Rearrange = Tensor (*)(Backend&, const Tensor&);

Tensor unchanged(Backend& /*backend*/, const Tensor& values) { return values; }

/// Two steps, so that buffers are reused; the input is rearranged before each, since layers may
/// work in place.
Results resultsOf(const std::shared_ptr<Backend>& backend, nn::Module& module, const Shape& shape,
                  Rearrange rearrange) {
  Results results;
  for (int step = 0; step < 2; ++step) {
    const auto input = rearrange(*backend, randomTensor(*backend, shape, 63));
    const auto& output = module.forward(input).tensor();
    results.output = valuesOf(output);
    const auto gradOutput = rearrange(*backend, randomTensor(*backend, output.shape(), 64));
    results.gradInput = valuesOf(module.backward(input, gradOutput));
  }
  results.gradients = gradientValuesOf(module);
  return results;
}

void checkStrided(const std::shared_ptr<Backend>& backend, const std::string& expression,
                  const Shape& shape, nn::WorkspaceStrategy strategy) {
  INFO(expression, " on ", shape.toString());
  const auto run = [&](Rearrange rearrange) {
    const auto module = moduleOn(backend, expression);
    module->setWorkspaceStrategy(strategy);
    return resultsOf(backend, *module, shape, rearrange);
  };
  const auto expected = run(unchanged);
  CHECK(run(narrowed) == expected);
  CHECK(run(transposed) == expected);
}

}  // namespace

TEST_CASE("views of other tensors are really not contiguous") {
  FOR_EACH_BACKEND(backend) {
    const auto values = randomTensor(*backend, {2, 3, 4}, 1);
    for (const Rearrange rearrange : {narrowed, transposed}) {
      const auto view = rearrange(*backend, values);
      CHECK_FALSE(view.isContiguous());
      CHECK(view.shape() == values.shape());
      CHECK(valuesOf(view) == valuesOf(values));
    }
  }
}

TEST_CASE("layers take strided inputs and gradOutputs") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      const auto check = [&](const std::string& expression, const Shape& shape) {
        checkStrided(backend, expression, shape, strategy);
      };
      check("nn.SpatialConvolution(2,3,3,3,1,1,1,1)", {3, 2, 5, 4});
      check("nn.SpatialConvolution(2,3,3,3)", {2, 5, 4});
      check("nn.SpatialFullConvolution(2,3,4,4,2,2,1,1)", {3, 2, 3, 4});
      check("nn.SpatialMaxPooling(2,2)", {3, 2, 4, 6});
      check("nn.SpatialAveragePooling(2,2)", {3, 2, 4, 6});
      check("nn.SpatialBatchNormalization(2)", {3, 2, 4, 6});
      check("nn.Linear(5,4)", {3, 5});
      check("nn.ReLU()", {3, 5});
      check("nn.ReLU(true)", {3, 5});
      check("nn.LeakyReLU(0.2,true)", {3, 5});
      check("nn.Tanh()", {3, 5, 2});
      check("nn.Sigmoid()", {3, 5});
      check("nn.SoftMax()", {3, 5, 2});
      check("nn.LogSoftMax()", {3, 5});
      check("nn.Dropout(0.3)", {3, 5});
      check("nn.Dropout(0.3,false,true)", {3, 5});
      check("nn.View(20)", {3, 5, 4});
      check("nn.Reshape(4,5)", {3, 5, 4});
      check("nn.Identity()", {3, 5});
    });
  }
}

TEST_CASE("networks take strided inputs and gradOutputs") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      checkStrided(backend, "nn.Linear(5,4); nn.Tanh()", {3, 5}, strategy);
      checkStrided(backend, "nn.ReLU(true); nn.Linear(5,4); nn.ReLU(true)", {3, 5}, strategy);
      checkStrided(backend,
                   "nn.ConcatTable():add(nn.Linear(5,4)):add(nn.Linear(5,4)); nn.CAddTable()",
                   {3, 5}, strategy);
      checkStrided(backend,
                   "nn.Sequential():add(nn.SpatialConvolution(2,3,3,3)):add(nn.ReLU(true));"
                   "nn.SpatialMaxPooling(2,2)",
                   {3, 2, 6, 6}, strategy);
    });
  }
}

TEST_CASE("layers take strided parameters and gradients") {
  FOR_EACH_BACKEND(backend) {
    forEachStrategy([&](nn::WorkspaceStrategy strategy) {
      const auto check = [&](const std::string& expression, const Shape& shape) {
        CAPTURE(expression);
        const auto plain = moduleOn(backend, expression), strided = moduleOn(backend, expression);
        for (auto* module : {plain.get(), strided.get()}) module->setWorkspaceStrategy(strategy);
        const auto [values, gradients] = strided->parameters();
        for (auto* tensor : values) *tensor = narrowed(*backend, *tensor);
        for (auto* tensor : gradients) *tensor = transposed(*backend, *tensor);
        CHECK(resultsOf(backend, *strided, shape, unchanged) ==
              resultsOf(backend, *plain, shape, unchanged));
      };
      check("nn.SpatialConvolution(2,3,3,3,1,1,1,1)", {3, 2, 5, 4});
      check("nn.SpatialFullConvolution(2,3,4,4,2,2,1,1)", {3, 2, 3, 4});
      check("nn.SpatialBatchNormalization(2)", {3, 2, 4, 6});
      check("nn.Linear(5,4)", {3, 5});
    });
  }
}

TEST_CASE("batch normalisation takes strided running statistics") {
  FOR_EACH_BACKEND(backend) {
    const std::string expression = "nn.SpatialBatchNormalization(3)";
    const auto plain = moduleOn(backend, expression), strided = moduleOn(backend, expression);
    for (const std::string field : {"running_mean", "running_var"}) {
      auto& tensor = fieldOf(*strided, field);
      const auto column = randomTensor(*backend, {3, 2}, 65).select(1, 1);
      column.copyFrom(tensor);
      tensor = column;
    }
    const auto input = randomTensor(*backend, {4, 3, 2, 2}, 66);
    plain->forward(input);
    strided->forward(input);
    CHECK(valuesOf(*strided, {nn::Role::state}) == valuesOf(*plain, {nn::Role::state}));
    plain->evaluate();
    strided->evaluate();
    CHECK(valuesOf(strided->forward(input)) == valuesOf(plain->forward(input)));
  }
}

TEST_CASE("criteria take strided inputs and targets") {
  FOR_EACH_BACKEND(backend) {
    const auto context = contextOn(backend);
    const auto input = randomTensor(*backend, {3, 4}, 67),
               target = randomTensor(*backend, {3, 4}, 68);
    nn::MSECriterion mse(context);
    const double expected = mse.forward(input, target);
    const auto gradient = valuesOf(mse.backward(input, target));
    const auto strided = narrowed(*backend, input), stridedTarget = transposed(*backend, target);
    CHECK(mse.forward(strided, stridedTarget) == expected);
    CHECK(valuesOf(mse.backward(strided, stridedTarget)) == gradient);

    nn::ClassNLLCriterion nll(context);
    const auto classes =
        Tensor::fromValues<std::int64_t>(backend->allocator(), {3, 2}, {0, 9, 3, 9, 1, 9});
    const auto same = Tensor::fromValues<std::int64_t>(backend->allocator(), {3}, {0, 3, 1});
    CHECK(nll.forward(strided, classes.select(1, 0)) == nll.forward(input, same));
  }
}

}  // namespace torchette::testing

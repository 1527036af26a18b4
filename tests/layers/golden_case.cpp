// Comparing a module with what Torch7 computed.
#include "tests/layers/golden_case.h"

#include "tests/support/golden.h"

namespace torchette::testing {

namespace {

using nlohmann::json;

class GoldenCase {
 public:
  GoldenCase(const std::shared_ptr<Backend>& backend, const std::string& fileName,
             nn::WorkspaceStrategy strategy)
      : backend_(*backend),
        golden_(loadGolden(fileName)),
        module_(moduleOn(backend, golden_.at("lua"))),
        strategy_(strategy) {
    module_->setWorkspaceStrategy(strategy);
  }

  void check() {
    CHECK(module_->type() == golden_.at("module").get<std::string>());
    CHECK(module_->description() == golden_.at("tostring").get<std::string>());
    prepare();
    input_ = activity("input");
    gradOutput_ = activity("gradOutput");
    checkForward();
    checkBackward();
    checkBuffers();
    checkSecondAccumulation();
  }

 private:
  void prepare() {
    if (!golden_.at("flags").at("train").get<bool>()) module_->evaluate();
    for (const std::string field : {"weight", "bias"}) setField(field, field);
    for (const std::string field : {"running_mean", "running_var"})
      setField(field, field + "_init");
    setAllParameters();
    if (!golden_.contains("prev_inputs")) return;
    for (const auto& input : golden_.at("prev_inputs")) {
      module_->forward(goldenActivity(backend_, input));
    }
  }

  void setField(const std::string& field, const std::string& key) {
    if (!golden_.contains(key)) return;
    auto& target = fieldOf(*module_, field);
    REQUIRE(target.shape() == tensorAt(key).shape());
    target.copyFrom(tensorAt(key));
  }

  void setAllParameters() {
    if (!golden_.contains("params")) return;
    const auto targets = module_->parameters().values;
    const auto& values = golden_.at("params");
    REQUIRE(targets.size() == values.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      targets[i]->copyFrom(goldenTensor(backend_.allocator(), values[i]));
    }
  }

  void checkForward() {
    checkGolden(module_->forward(input_), golden_.at("output"));
    checkIfKnown(input_, "input_after_forward");
    checkFieldIfKnown("running_mean", "running_mean_after");
    checkFieldIfKnown("running_var", "running_var_after");
    checkFieldIfKnown("save_mean", "save_mean");
    checkFieldIfKnown("save_std", "save_std");
    checkIndices();
  }

  void checkBackward() {
    module_->zeroGradParameters();
    checkGolden(module_->backward(input_, gradOutput_), golden_.at("gradInput"));
    checkFieldIfKnown("gradWeight", "gradWeight");
    checkFieldIfKnown("gradBias", "gradBias");
    checkAllGradients();
    checkIfKnown(input_, "input_after_backward");
    checkIfKnown(gradOutput_, "gradOutput_after_backward");
    checkAliasIfKnown(module_->output, input_, "output_aliases_input");
    checkAliasIfKnown(module_->gradInput, gradOutput_, "gradInput_aliases_gradOutput");
  }

  /// Gradients of all parameters as one vector: some are nothing but rounding errors.
  void checkAllGradients() {
    if (!golden_.contains("gradParams")) return;
    std::vector<float> expected;
    for (const auto& gradient : golden_.at("gradParams")) {
      const auto values = goldenFloats(gradient.at("data"));
      expected.insert(expected.end(), values.begin(), values.end());
    }
    checkClose(gradientValuesOf(*module_), expected, goldenTolerance);
  }

  /// Workspaces are Torch7's CPU ones with the strategy batch only.
  void checkBuffers() {
    for (const auto& buffer : golden_.at("buffers").items()) {
      const std::string name = buffer.key();
      if (name == "ones") continue;  // a second plane of ones, always empty
      const bool isWorkspace = name == "finput" || name == "fgradInput";
      if (isWorkspace && strategy_ != nn::WorkspaceStrategy::batch) continue;
      INFO("buffer ", name);
      const auto shape = buffer.value().at("shape").get<std::vector<std::int64_t>>();
      CHECK(fieldOf(*module_, name).shape().toString() == Shape(shape).toString());
    }
  }

  void checkSecondAccumulation() {
    if (!golden_.contains("gradWeight_acc")) return;
    module_->backward(input_, gradOutput_, 0.5F);
    checkFieldIfKnown("gradWeight", "gradWeight_acc");
    checkFieldIfKnown("gradBias", "gradBias_acc");
  }

  /// Torch7's indices count from 1.
  void checkIndices() {
    if (!golden_.contains("indices")) return;
    auto expected = golden_.at("indices").at("data").get<std::vector<std::int64_t>>();
    for (auto& index : expected) --index;
    CHECK(fieldOf(*module_, "indices").values<std::int64_t>() == expected);
  }

  void checkFieldIfKnown(const std::string& field, const std::string& key) {
    if (golden_.contains(key)) checkIfKnown(fieldOf(*module_, field), key);
  }

  void checkIfKnown(const nn::Activity& actual, const std::string& key) {
    if (!golden_.contains(key)) return;
    INFO("checking ", key);
    checkGolden(actual, golden_.at(key));
  }

  void checkAliasIfKnown(const nn::Activity& a, const nn::Activity& b, const std::string& key) {
    if (!golden_.contains(key)) return;
    INFO("checking ", key);
    CHECK(a.tensor().sharesStorageWith(b.tensor()) == golden_.at(key).get<bool>());
  }

  Tensor tensorAt(const std::string& key) const {
    return goldenTensor(backend_.allocator(), golden_.at(key));
  }
  nn::Activity activity(const std::string& key) const {
    return goldenActivity(backend_, golden_.at(key));
  }

  Backend& backend_;
  const json golden_;
  std::unique_ptr<nn::Module> module_;
  nn::WorkspaceStrategy strategy_;
  nn::Activity input_, gradOutput_;
};

}  // namespace

nn::Activity goldenActivity(Backend& backend, const json& value) {
  if (!value.is_array()) return goldenTensor(backend.allocator(), value);
  std::vector<nn::Activity> table;
  for (const auto& entry : value) table.push_back(goldenActivity(backend, entry));
  return table;
}

void checkGolden(const nn::Activity& actual, const json& expected) {
  if (expected.is_array()) {
    REQUIRE(actual.table().size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) checkGolden(actual.table()[i], expected[i]);
    return;
  }
  const Shape shape(expected.at("shape").get<std::vector<std::int64_t>>());
  CHECK(actual.tensor().shape().toString() == shape.toString());
  checkClose(valuesOf(actual), goldenFloats(expected.at("data")), goldenTolerance);
}

void checkGoldenModule(const std::shared_ptr<Backend>& backend, const std::string& fileName,
                       nn::WorkspaceStrategy strategy) {
  INFO("file ", fileName);
  GoldenCase(backend, fileName, strategy).check();
}

void checkGoldenModules(const std::shared_ptr<Backend>& backend, const std::string& name,
                        int count) {
  forEachStrategy([&](nn::WorkspaceStrategy strategy) {
    for (int i = 1; i <= count; ++i) {
      checkGoldenModule(backend, name + "__" + std::to_string(i) + ".json", strategy);
    }
  });
}

}  // namespace torchette::testing

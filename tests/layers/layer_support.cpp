// Making modules for tests and looking into them.
#include "tests/layers/layer_support.h"

#include <algorithm>

#include "backends/registry.h"
#include "layers/models/expression.h"

namespace torchette::testing {

nn::Context contextOn(const std::shared_ptr<Backend>& backend, std::uint32_t seed) {
  return {backend, std::make_shared<Generator>(seed)};
}

std::unique_ptr<nn::Module> moduleOn(const std::shared_ptr<Backend>& backend,
                                     const std::string& expression, std::uint32_t seed) {
  return nn::moduleFromExpression(expression, contextOn(backend, seed));
}

std::shared_ptr<Backend> backendOver(const Backend& backend, std::shared_ptr<Allocator> allocator) {
  return makeBackend(backend.name(), std::move(allocator), {.lanes = backend.lanes()});
}

Tensor& fieldOf(nn::Module& module, std::string_view field) {
  Tensor* found = nullptr;
  module.visitTensors([&](std::string_view name, nn::Role, Tensor& tensor) {
    if (name == field) found = &tensor;
  });
  INFO("field ", std::string(field));
  REQUIRE(found != nullptr);
  return *found;
}

std::vector<float> valuesOf(nn::Module& module, std::initializer_list<nn::Role> roles) {
  std::vector<float> result;
  module.forEachModule([&](nn::Module& part) {
    part.visitTensors([&](std::string_view, nn::Role role, Tensor& tensor) {
      if (std::ranges::count(roles, role) == 0 || tensor.dtype() != DType::float32) return;
      const auto values = tensor.values<float>();
      result.insert(result.end(), values.begin(), values.end());
    });
  });
  return result;
}

std::vector<float> parameterValuesOf(nn::Module& module) {
  return valuesOf(module, {nn::Role::parameter});
}

std::vector<float> gradientValuesOf(nn::Module& module) {
  return valuesOf(module, {nn::Role::parameterGradient});
}

std::vector<float> valuesOf(const nn::Activity& activity) {
  std::vector<float> result;
  activity.forEachTensor([&](const Tensor& tensor) {
    const auto values = tensor.values<float>();
    result.insert(result.end(), values.begin(), values.end());
  });
  return result;
}

std::int64_t heldBytes(const std::string& owner, const std::string& field) {
  for (const auto& holding : ledger()->liveHoldings()) {
    if (holding.owner == owner && holding.field == field) return holding.bytes;
  }
  return 0;
}

std::int64_t heldBytesBelow(const std::string& owner) {
  std::int64_t bytes = 0;
  for (const auto& holding : ledger()->liveHoldings()) {
    const bool isBelow = holding.owner == owner || holding.owner.starts_with(owner + "/");
    bytes += isBelow ? holding.bytes : 0;
  }
  return bytes;
}

std::vector<float> scaled(std::vector<float> values, float factor) {
  for (auto& value : values) value *= factor;
  return values;
}

std::vector<float> sumOf(std::vector<float> a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

}  // namespace torchette::testing

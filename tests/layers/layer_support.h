// What the tests of layers share: modules from expressions, their tensors by name, their state.
#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "layers/module.h"
#include "tests/support/test_backend.h"

namespace torchette::testing {

/// A context on this backend whose random stream starts from `seed`.
nn::Context contextOn(const std::shared_ptr<Backend>& backend, std::uint32_t seed = 1);

/// What the expression describes, under the path "net".
std::unique_ptr<nn::Module> moduleOn(const std::shared_ptr<Backend>& backend,
                                     const std::string& expression, std::uint32_t seed = 1);

/// A backend of the same kind that draws on `allocator`, which decorates that of `backend`.
std::shared_ptr<Backend> backendOver(const Backend& backend, std::shared_ptr<Allocator> allocator);

/// The tensor that the module itself names `field`; fails the test if there is none.
Tensor& fieldOf(nn::Module& module, std::string_view field);

/// All float32 elements of the tensors with one of these roles, of this module and all below.
std::vector<float> valuesOf(nn::Module& module, std::initializer_list<nn::Role> roles);
std::vector<float> parameterValuesOf(nn::Module& module);
std::vector<float> gradientValuesOf(nn::Module& module);

/// Every tensor's elements, one after the other.
std::vector<float> valuesOf(const nn::Activity& activity);

/// Bytes that the process's ledger holds for one field of one owner.
std::int64_t heldBytes(const std::string& owner, const std::string& field);

/// Bytes that it holds for `owner` and all below.
std::int64_t heldBytesBelow(const std::string& owner);

/// All values times `factor`.
std::vector<float> scaled(std::vector<float> values, float factor);
/// a[i] + b[i]
std::vector<float> sumOf(std::vector<float> a, const std::vector<float>& b);

/// Runs `body(strategy)` for each workspace strategy; failures name it.
template <class Body>
void forEachStrategy(const Body& body) {
  for (const auto strategy : nn::allWorkspaceStrategies()) {
    INFO("strategy ", std::string(nn::nameOf(strategy)));
    body(strategy);
  }
}

}  // namespace torchette::testing

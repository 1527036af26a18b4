// ConstructorArguments: the values between the parentheses of nn.Something(...).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace torchette::nn {

/// nil, a boolean or a number, as Lua has them.
using LuaValue = std::variant<std::monostate, bool, double>;

/// Typed access by position, from 0. Missing trailing arguments are nil. All accessors throw
/// ArgumentError, naming the call and the position, for a value of another type.
class ConstructorArguments {
 public:
  /// `call` is how messages name the call, e.g. "nn.Linear".
  ConstructorArguments(std::string call, std::vector<LuaValue> values)
      : call_(std::move(call)), values_(std::move(values)) {}

  std::int64_t integer(std::size_t position) const;
  std::int64_t integer(std::size_t position, std::int64_t defaultValue) const;
  std::optional<std::int64_t> optionalInteger(std::size_t position) const;
  double number(std::size_t position, double defaultValue) const;
  bool boolean(std::size_t position, bool defaultValue) const;
  std::optional<bool> optionalBoolean(std::size_t position) const;
  /// Whether there is a boolean at this position.
  bool isBoolean(std::size_t position) const;
  /// The leading integers; at least one.
  std::vector<std::int64_t> integers() const;

  /// Throws ArgumentError if there are more than `most` values.
  void requireAtMost(std::size_t most) const;

 private:
  const LuaValue* at(std::size_t position) const;
  [[noreturn]] void refuse(std::size_t position, const std::string& expected) const;

  std::string call_;
  std::vector<LuaValue> values_;
};

}  // namespace torchette::nn

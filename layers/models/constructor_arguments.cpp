#include "layers/models/constructor_arguments.h"

#include <cmath>

#include "runtime/errors.h"

namespace torchette::nn {

std::int64_t ConstructorArguments::integer(std::size_t position) const {
  const auto value = optionalInteger(position);
  if (!value) refuse(position, "an integer");
  return *value;
}

std::int64_t ConstructorArguments::integer(std::size_t position, std::int64_t defaultValue) const {
  return optionalInteger(position).value_or(defaultValue);
}

std::optional<std::int64_t> ConstructorArguments::optionalInteger(std::size_t position) const {
  constexpr double exactlyRepresentable = 9007199254740992.0;  // 2^53
  const auto* value = at(position);
  if (value == nullptr) return std::nullopt;
  const auto* number = std::get_if<double>(value);
  if (number == nullptr || std::floor(*number) != *number ||
      std::abs(*number) > exactlyRepresentable) {
    refuse(position, "an integer");
  }
  return static_cast<std::int64_t>(*number);
}

double ConstructorArguments::number(std::size_t position, double defaultValue) const {
  const auto* value = at(position);
  if (value == nullptr) return defaultValue;
  const auto* number = std::get_if<double>(value);
  if (number == nullptr) refuse(position, "a number");
  return *number;
}

bool ConstructorArguments::boolean(std::size_t position, bool defaultValue) const {
  return optionalBoolean(position).value_or(defaultValue);
}

std::optional<bool> ConstructorArguments::optionalBoolean(std::size_t position) const {
  const auto* value = at(position);
  if (value == nullptr) return std::nullopt;
  const auto* boolean = std::get_if<bool>(value);
  if (boolean == nullptr) refuse(position, "true or false");
  return *boolean;
}

bool ConstructorArguments::isBoolean(std::size_t position) const {
  const auto* value = at(position);
  return value != nullptr && std::holds_alternative<bool>(*value);
}

std::vector<std::int64_t> ConstructorArguments::integers() const {
  std::vector<std::int64_t> result{integer(0)};
  while (at(result.size()) != nullptr && !isBoolean(result.size())) {
    result.push_back(integer(result.size()));
  }
  return result;
}

void ConstructorArguments::requireAtMost(std::size_t most) const {
  if (values_.size() > most) {
    throw ArgumentError(call_, "expected at most " + std::to_string(most) + " arguments, got " +
                                   std::to_string(values_.size()));
  }
}

/// Null for nil.
const LuaValue* ConstructorArguments::at(std::size_t position) const {
  const bool isThere =
      position < values_.size() && !std::holds_alternative<std::monostate>(values_[position]);
  return isThere ? &values_[position] : nullptr;
}

void ConstructorArguments::refuse(std::size_t position, const std::string& expected) const {
  throw ArgumentError(call_, "argument " + std::to_string(position + 1) + " must be " + expected);
}

}  // namespace torchette::nn

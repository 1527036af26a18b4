// The element types a tensor can have.
#pragma once

#include <cstdint>
#include <string_view>

namespace torchette {

enum class DType { float32, int64 };

constexpr std::int64_t bytesPerElement(DType dtype) { return dtype == DType::float32 ? 4 : 8; }

constexpr std::string_view nameOf(DType dtype) {
  return dtype == DType::float32 ? "float32" : "int64";
}

template <class T>
constexpr DType dtypeOf() = delete;
template <>
constexpr DType dtypeOf<float>() {
  return DType::float32;
}
template <>
constexpr DType dtypeOf<std::int64_t>() {
  return DType::int64;
}

}  // namespace torchette

// Reading golden files.
#include "tests/support/golden.h"

#include <fstream>
#include <stdexcept>

namespace torchette::testing {

std::filesystem::path goldenPath(const std::string& fileName) {
  return std::filesystem::path(TORCHETTE_GOLDEN_DIRECTORY) / fileName;
}

nlohmann::json loadGolden(const std::string& fileName) {
  const auto path = goldenPath(fileName);
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return nlohmann::json::parse(file);
}

std::vector<double> goldenNumbers(const nlohmann::json& list) {
  std::vector<double> numbers;
  for (const auto& item : list) {
    numbers.push_back(item.is_string() ? std::stod(item.get<std::string>()) : item.get<double>());
  }
  return numbers;
}

std::vector<float> goldenFloats(const nlohmann::json& list) {
  const auto numbers = goldenNumbers(list);
  return {numbers.begin(), numbers.end()};
}

Tensor goldenTensor(const std::shared_ptr<Allocator>& allocator, const nlohmann::json& value) {
  const Shape shape(value.at("shape").get<std::vector<std::int64_t>>());
  return Tensor::fromValues(allocator, shape, goldenFloats(value.at("data")));
}

}  // namespace torchette::testing

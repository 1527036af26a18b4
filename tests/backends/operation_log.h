// An observer that keeps what it is told, for tests.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "backends/operation_observer.h"

namespace torchette::testing {

class OperationLog final : public OperationObserver {
 public:
  std::vector<Operation> operations;  ///< in the order of their beginnings
  std::vector<std::string> course;    ///< "0 begins", "0 ends", ...

 private:
  void beforeOperation(std::int64_t index, const Operation& operation) override {
    operations.push_back(operation);
    course.push_back(std::to_string(index) + " begins");
  }
  void afterOperation(std::int64_t index, const Operation& /*operation*/) override {
    course.push_back(std::to_string(index) + " ends");
  }
};

/// Name and ranges, for comparisons.
inline std::string textOf(const Operation& operation) {
  std::ostringstream text;
  text << operation.name << " reads";
  for (const auto& [address, bytes] : operation.reads) text << ' ' << address << '+' << bytes;
  text << " writes";
  for (const auto& [address, bytes] : operation.writes) text << ' ' << address << '+' << bytes;
  return text.str();
}

}  // namespace torchette::testing

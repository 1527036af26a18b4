// Checks that a call throws, of which type, and with which essential words.
#pragma once

#include <doctest/doctest.h>

#include <exception>
#include <string>
#include <typeinfo>
#include <vector>

namespace torchette::testing {

/// Fails the test case, without ending it, unless `call()` throws exactly `Exception` and its
/// message contains each of `words`. The message gives file and line of the caller.
template <class Exception, class Call>
void checkThrows(Call&& call, const std::vector<std::string>& words,
                 const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  std::string problem = "nothing was thrown";
  try {
    call();
  } catch (const std::exception& exception) {
    const std::string message = exception.what();
    problem.clear();
    if (typeid(exception) != typeid(Exception)) problem += "another type was thrown; ";
    for (const auto& word : words) {
      if (message.find(word) == std::string::npos) problem += "\"" + word + "\" is missing; ";
    }
    if (!problem.empty()) problem += "the message is: " + message;
  }
  if (problem.empty()) {
    CHECK(problem.empty());  // counts the assertion
  } else {
    ADD_FAIL_CHECK_AT(file, line, problem);
  }
}

}  // namespace torchette::testing

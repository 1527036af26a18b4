// Runs the test cases of one executable. A leak fails the run, and so does a name that matches no
// case. A run for a backend that is not available is skipped.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <iostream>

#include "tests/support/leak_check.h"
#include "tests/support/test_backend.h"

int main(int argumentCount, char** arguments) {
  constexpr int skipped = 77;  // as the build scripts tell ctest
  if (const auto reason = torchette::testing::whyBackendIsMissing(); !reason.empty()) {
    std::cout << "SKIPPED, because this backend is not available: " << reason << '\n';
    return skipped;
  }
  doctest::Context context(argumentCount, arguments);
  const int failed = context.run();
  if (context.shouldExit() || failed != 0) return failed;
  return torchette::testing::isRunClean() ? EXIT_SUCCESS : EXIT_FAILURE;
}

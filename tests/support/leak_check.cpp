// A doctest listener that finds leaks. doctest has counted a test case's failures before it tells
// listeners of its end, so the verdict reaches the exit code through isRunClean().
#include "tests/support/leak_check.h"

#include <doctest/doctest.h>

#include <iostream>

#include "tests/support/test_memory.h"

namespace torchette::testing {

namespace {

struct Verdict {
  bool hasLeaked = false;
  bool hasRunNothing = false;
};

Verdict& verdict() {
  static Verdict instance;
  return instance;
}

class LeakCheck final : public doctest::IReporter {
 public:
  explicit LeakCheck(const doctest::ContextOptions& /*options*/) {}

  void report_query(const doctest::QueryData& /*query*/) override {}
  void test_run_start() override { verdict() = {}; }

  void test_case_start(const doctest::TestCaseData& testCase) override {
    name_ = testCase.m_name;
    bytesAtStart_ = ledger()->liveBytes();
    ledger()->resetPeak();
  }

  void test_case_reenter(const doctest::TestCaseData& /*testCase*/) override {
    ledger()->resetPeak();
  }

  void test_case_end(const doctest::CurrentTestCaseStats& /*statistics*/) override {
    const auto liveBytes = ledger()->liveBytes();
    if (liveBytes != bytesAtStart_) {
      report(std::string("test case \"") + name_ + "\" ended with " + std::to_string(liveBytes) +
             " live bytes, it began with " + std::to_string(bytesAtStart_));
    }
    if (heldBytes() != liveBytes) report("the live holdings add up to other bytes than are live");
  }

  /// Also finds bytes that were live before the first test case.
  void test_run_end(const doctest::TestRunStats& statistics) override {
    const auto liveBytes = ledger()->liveBytes();
    if (liveBytes != 0) report("the run ended with " + std::to_string(liveBytes) + " live bytes");
    if (statistics.numTestCasesPassingFilters == 0) {
      std::cerr << "NOTHING RUN: no test case has the name asked for\n";
      verdict().hasRunNothing = true;
    }
  }

  void test_case_exception(const doctest::TestCaseException& /*exception*/) override {}
  void subcase_start(const doctest::SubcaseSignature& /*subcase*/) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& /*assert*/) override {}
  void log_message(const doctest::MessageData& /*message*/) override {}
  void test_case_skipped(const doctest::TestCaseData& /*testCase*/) override {}

 private:
  static std::int64_t heldBytes() {
    std::int64_t bytes = 0;
    for (const auto& holding : ledger()->liveHoldings()) bytes += holding.bytes;
    return bytes;
  }

  static void report(const std::string& message) {
    verdict().hasLeaked = true;
    std::cerr << "LEAK: " << message << '\n';
    for (const auto& [owner, field, bytes] : ledger()->liveHoldings()) {
      std::cerr << "  " << owner << ' ' << field << ": " << bytes << " bytes\n";
    }
  }

  const char* name_ = "";
  std::int64_t bytesAtStart_ = 0;
};

REGISTER_LISTENER("leak_check", 1, LeakCheck);

}  // namespace

bool isRunClean() { return !verdict().hasLeaked && !verdict().hasRunNothing; }

}  // namespace torchette::testing

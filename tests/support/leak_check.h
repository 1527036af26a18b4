// Watches the ledger around every test case: what a test case allocates it must also free.
#pragma once

namespace torchette::testing {

/// Whether everything that ran so far gave its bytes back, and at least one test case ran.
bool isRunClean();

}  // namespace torchette::testing

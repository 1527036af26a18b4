// The memory that tests draw on: one ledger for the whole process, so that a leak is seen after
// each test.
#pragma once

#include <memory>

#include "runtime/allocators.h"

namespace torchette::testing {

/// The ledger of this process. Its peak restarts at each test case, and a test case that ends with
/// other live bytes than it began with fails the run.
std::shared_ptr<Ledger> ledger();

/// Main memory, recorded in ledger().
std::shared_ptr<Allocator> hostAllocator();

}  // namespace torchette::testing

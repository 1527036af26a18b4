// A small report with every kind of sharing, written by hand.
#pragma once

#include "examples/cli/memory_report.h"

namespace torchette::testing {

/// A container `net` over two layers: `net/conv`, whose output (400 bytes) the container looks at,
/// and `net/relu`, which shares that output, has an empty gradInput and a storage of 64 bytes of
/// which its tensor uses 40. The flat storage of 120 bytes is looked at by weight (100) and bias
/// (20). Upper bound 400 * 3 + 100 + 20 + 40 = 1360, held 400 + 120 + 64 = 584.
cli::MemoryReport sampleReport();

}  // namespace torchette::testing

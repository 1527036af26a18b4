// OpenBLAS's column-major product, for backends that hand their arguments over in that form.
#pragma once

#include "backends/gemm_call.h"

namespace torchette {

/// On the caller's thread, in memory that the host may touch. m, n and k are at least 1. Throws
/// ArgumentError if an extent or leading dimension is more than OpenBLAS can count.
void columnMajorGemm(const ColumnMajorGemm& gemm);

}  // namespace torchette

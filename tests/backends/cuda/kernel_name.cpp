// Names of kernels in messages.
#include "backends/cuda/kernel_name.h"

#include <doctest/doctest.h>

#include "backends/kernels/activations.h"
#include "backends/kernels/elementwise.h"

namespace torchette::testing {

TEST_CASE("a kernel is named without its namespace") {
  CHECK(cuda::kernelName(typeid(kernels::Fill)) == "Fill");
  CHECK(cuda::kernelName(typeid(kernels::Activate<kernels::Tanh>)) ==
        "Activate<torchette::kernels::Tanh>");
}

}  // namespace torchette::testing

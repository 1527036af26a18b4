// The name of a kernel, for messages.
#pragma once

#include <string>
#include <typeinfo>

namespace torchette::cuda {

/// "Im2Col" for torchette::kernels::Im2Col; arguments of a template in full.
std::string kernelName(const std::type_info& kernel);

}  // namespace torchette::cuda

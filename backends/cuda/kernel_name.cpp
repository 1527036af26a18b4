// Reading the name of a type.
#include "backends/cuda/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace torchette::cuda {

std::string kernelName(const std::type_info& kernel) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(kernel.name(), nullptr, nullptr, &status), &std::free);
  if (readable == nullptr) return kernel.name();
  std::string name = readable.get();
  const auto nameBegin = name.rfind("::", name.find('<'));
  return nameBegin == std::string::npos ? name : name.substr(nameBegin + 2);
}

}  // namespace torchette::cuda

// Finding cuBLAS: where the system looks for libraries, then where it was when torchette was built.
#include "backends/cuda/cublas_library.h"

#include <string>

#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/cuda_errors.h"
#include "backends/cuda/shared_library.h"

namespace torchette::cuda {

namespace {

const std::string libraryName = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);

SharedLibrary loadCublas() {
  SharedLibrary found(libraryName);
  if (found.isLoaded()) return found;
  SharedLibrary built(std::string(TORCHETTE_CUBLAS_FOLDER) + "/" + libraryName);
  if (built.isLoaded()) return built;
  throw StateError(errorPlace, "cuBLAS cannot be loaded (" + found.problem() +
                                   "); install the CUDA Toolkit's cuBLAS, or name the folder of " +
                                   libraryName + " in LD_LIBRARY_PATH");
}

template <class Function>
Function* findFunction(const SharedLibrary& library, const char* name) {
  if (auto* function = library.find<Function>(name)) return function;
  throw StateError(errorPlace, libraryName + " has no function " + name +
                                   "; install the cuBLAS that torchette was built with");
}

/// The member function pointer's type is that of the function to find.
template <class Function>
void find(const SharedLibrary& library, const char* name, Function*& function) {
  function = findFunction<Function>(library, name);
}

CublasFunctions findFunctions(const SharedLibrary& library) {
  CublasFunctions functions{};
  find(library, "cublasCreate_v2", functions.create);
  find(library, "cublasDestroy_v2", functions.destroy);
  find(library, "cublasSetStream_v2", functions.setStream);
  find(library, "cublasSetWorkspace_v2", functions.setWorkspace);
  find(library, "cublasSetMathMode", functions.setMathMode);
  find(library, "cublasSgemm_v2_64", functions.sgemm);
  find(library, "cublasGetStatusName", functions.statusName);
  find(library, "cublasGetStatusString", functions.statusString);
  return functions;
}

}  // namespace

const CublasFunctions& cublas() {
  static const SharedLibrary library = loadCublas();
  static const CublasFunctions functions = findFunctions(library);
  return functions;
}

void require(cublasStatus_t status, const char* operation, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw CudaError(errorPlace, describe({operation, call, cublas().statusName(status),
                                        cublas().statusString(status)}));
}

}  // namespace torchette::cuda

// Finding cuBLAS: where the system looks for libraries, then where it was when torchette was built.
#include "backends/cuda/cublas_library.h"

#include <string>
#include <utility>

#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/cuda_errors.h"
#include "backends/cuda/shared_library.h"

namespace torchette::cuda {

namespace {

const std::string libraryName = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);

SharedLibrary openLibrary() {
  SharedLibrary found(libraryName);
  if (found.isLoaded()) return found;
  SharedLibrary built(std::string(TORCHETTE_CUBLAS_FOLDER) + "/" + libraryName);
  return built.isLoaded() ? std::move(built) : std::move(found);
}

/// The library, which is never closed: backends in static objects may call it to the very end.
struct Cublas {
  CublasFunctions functions{};
  std::string problem;

  Cublas() {
    const auto& library = *new SharedLibrary(openLibrary());
    if (!library.isLoaded()) {
      problem = "cuBLAS cannot be loaded (" + library.problem() +
                "); install the CUDA Toolkit's cuBLAS, or name the folder of " + libraryName +
                " in LD_LIBRARY_PATH";
      return;
    }
    find(library, "cublasCreate_v2", functions.create);
    find(library, "cublasDestroy_v2", functions.destroy);
    find(library, "cublasSetStream_v2", functions.setStream);
    find(library, "cublasSetWorkspace_v2", functions.setWorkspace);
    find(library, "cublasSetMathMode", functions.setMathMode);
    find(library, "cublasSgemm_v2_64", functions.sgemm);
    find(library, "cublasGetStatusName", functions.statusName);
    find(library, "cublasGetStatusString", functions.statusString);
  }

 private:
  template <class Function>
  void find(const SharedLibrary& library, const char* name, Function*& function) {
    function = library.find<Function>(name);
    if (function == nullptr) {
      problem = libraryName + " has no function " + name +
                "; install the cuBLAS that torchette was built with";
    }
  }
};

const Cublas& loadedCublas() {
  static const Cublas instance;
  return instance;
}

}  // namespace

std::string cublasProblem() { return loadedCublas().problem; }

const CublasFunctions& cublas() {
  const auto& loaded = loadedCublas();
  if (!loaded.problem.empty()) throw StateError(errorPlace, loaded.problem);
  return loaded.functions;
}

void require(cublasStatus_t status, const char* operation, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw CudaError(errorPlace, describe({operation, call, cublas().statusName(status),
                                        cublas().statusString(status)}));
}

}  // namespace torchette::cuda

// The dependency rules hold for this project; and on small made-up trees they are seen to break.
#include "tests/structure/dependency_rules.h"

#include <doctest/doctest.h>

namespace torchette::structure {

namespace {

/// What is broken in a tree of one file with one include line.
std::string brokenBy(const std::string& path, const std::string& include) {
  return joined(brokenIncludes({{path, {"// A file.", "#include " + include}}}));
}

void checkAllowed(const std::string& path, const std::string& include) {
  CAPTURE(path);
  CHECK(brokenBy(path, include) == "");
}

void checkRefused(const std::string& path, const std::string& include, const std::string& rule) {
  CAPTURE(path);
  CAPTURE(include);
  const auto broken = brokenBy(path, include);
  CAPTURE(broken);
  CHECK(broken.starts_with(path + ":2 includes "));
  CHECK(broken.find(rule) != std::string::npos);
}

}  // namespace

TEST_CASE("no file of this project breaks a dependency rule") {
  CHECK(joined(brokenIncludes(projectTree())) == "");
}

TEST_CASE("no layer of this project names a backend outside the table of strategies") {
  CHECK(joined(backendNamesInLayers(projectTree())) == "");
}

TEST_CASE("include lines are found whatever their spacing and counted from 1") {
  const auto includes = includesOf({"runtime/a.h",
                                    {"// #include <none>", "#include <vector>",
                                     "  #  include \"runtime/b.h\"  // reason", "int include;"}});
  REQUIRE(includes.size() == 2);
  CHECK(includes[0].name == "vector");
  CHECK_FALSE(includes[0].isQuoted);
  CHECK(includes[0].line == 2);
  CHECK(includes[1].name == "runtime/b.h");
  CHECK(includes[1].isQuoted);
  CHECK(includes[1].line == 3);
}

TEST_CASE("runtime includes only itself and the standard library") {
  checkAllowed("runtime/a.h", "<memory_resource>");
  checkAllowed("runtime/a.h", "\"runtime/b.h\"");
  checkRefused("runtime/a.h", "\"backends/backend.h\"", "runtime/ may not see backends/");
  checkRefused("runtime/a.h", "\"layers/module.h\"", "runtime/ may not see layers/");
  checkRefused("runtime/a.h", "<omp.h>", "standard library");
  checkRefused("runtime/a.h", "<sys/mman.h>", "standard library");
  checkRefused("runtime/a.h", "<nlohmann/json.hpp>", "standard library");
}

TEST_CASE("nobody includes a file beside it by its bare name") {
  checkRefused("runtime/a.cpp", "\"b.h\"", "beside it");
  checkRefused("layers/a.cpp", "\"../backends/cpu/lanes.h\"", "layers/ may not see ../");
}

TEST_CASE("dependencies never point back") {
  checkAllowed("backends/cpu/a.cpp", "\"runtime/shape.h\"");
  checkAllowed("layers/a.cpp", "\"runtime/shape.h\"");
  checkAllowed("examples/a.cpp", "\"layers/module.h\"");
  checkAllowed("tests/layers/a.cpp", "\"examples/a.h\"");
  checkAllowed("bench/a.cpp", "\"backends/cpu/cpu_backend.h\"");
  checkRefused("backends/cpu/a.cpp", "\"layers/module.h\"", "backends/ may not see layers/");
  checkRefused("layers/a.cpp", "\"examples/a.h\"", "layers/ may not see examples/");
  checkRefused("layers/a.cpp", "\"tests/support/golden.h\"", "layers/ may not see tests/");
  checkRefused("examples/a.cpp", "\"tests/support/golden.h\"", "examples/ may not see tests/");
  checkRefused("examples/a.cpp", "\"bench/a.h\"", "examples/ may not see bench/");
  checkRefused("bench/a.cpp", "\"tests/support/golden.h\"", "bench/ may not see tests/");
}

TEST_CASE("layers see only the headers directly in backends") {
  checkAllowed("layers/a.cpp", "\"backends/backend.h\"");
  checkAllowed("layers/a.cpp", "\"backends/kernels/geometry.h\"");
  checkRefused("layers/a.cpp", "\"backends/kernels/columns.h\"", "directly in backends/");
  checkRefused("layers/a.cpp", "\"backends/cpu/cpu_backend.h\"", "directly in backends/");
  checkRefused("layers/optim/a.cpp", "\"backends/cuda/launcher.h\"", "directly in backends/");
  checkRefused("layers/a.cpp", "<omp.h>", "standard library");
}

TEST_CASE("only the cpu backend includes cblas") {
  checkAllowed("backends/cpu/products.cpp", "<cblas.h>");
  checkRefused("backends/simulated/a.cpp", "<cblas.h>", "only backends/cpu/");
  checkRefused("layers/a.cpp", "\"cblas.h\"", "only backends/cpu/");
  checkRefused("tests/backends/a.cpp", "<cblas.h>", "only backends/cpu/");
}

TEST_CASE("only the cuda backend includes CUDA headers") {
  checkAllowed("backends/cuda/a.cu", "<cuda_runtime.h>");
  checkAllowed("backends/cuda/a.cu", "\"cublas_v2.h\"");
  checkAllowed("tests/backends/a.cpp", "\"backends/cuda/cuda_backend.h\"");
  checkRefused("backends/cpu/a.cpp", "<cuda_runtime.h>", "only backends/cuda/");
  checkRefused("backends/simulated/a.cpp", "\"cublas_v2.h\"", "only backends/cuda/");
  checkRefused("examples/a.cpp", "<cuda.h>", "only backends/cuda/");
  checkRefused("tests/backends/a.cpp", "<cub/cub.cuh>", "only backends/cuda/");
}

TEST_CASE("kernels include only themselves and headers that any device compiler has") {
  checkAllowed("backends/kernels/a.h", "<cstdint>");
  checkAllowed("backends/kernels/a.h", "<cmath>");
  checkAllowed("backends/kernels/a.h", "\"backends/kernels/geometry.h\"");
  checkRefused("backends/kernels/a.h", "<vector>", "only itself");
  checkRefused("backends/kernels/a.h", "\"backends/operations.h\"", "only itself");
  checkRefused("backends/kernels/a.h", "\"runtime/shape.h\"", "only itself");
}

TEST_CASE("every broken include of a tree is listed") {
  const auto broken = brokenIncludes(
      {{"layers/a.h", {"// A.", "#include <vector>", "#include \"tests/a.h\"", "#include <omp.h>"}},
       {"runtime/b.h", {"#include \"layers/a.h\""}}});
  CHECK(broken.size() == 3);
}

TEST_CASE("a layer that names a backend is found except in the table of strategies") {
  const std::vector<std::string> lines{"// A file.", "if (backend.name() == \"cuda\") return;"};
  CHECK(joined(backendNamesInLayers({{"layers/linear.cpp", lines}})) ==
        "layers/linear.cpp:2 names the backend cuda\n");
  CHECK(backendNamesInLayers({{"layers/workspace_strategy.cpp", lines}}).empty());
  CHECK(backendNamesInLayers({{"examples/main.cpp", lines}}).empty());
  CHECK(backendNamesInLayers({{"layers/a.cpp", {"// runs on the cpu and on cuda"}}}).empty());
}

}  // namespace torchette::structure

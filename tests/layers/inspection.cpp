// Inspection: every tensor of every module, and the totals.
#include "layers/inspection.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/layers/layer_support.h"

namespace torchette::testing {

namespace {

const nn::FieldInspection& fieldOf(const nn::ModuleInspection& module, const std::string& name) {
  const auto found = std::ranges::find(module.fields, name, &nn::FieldInspection::field);
  REQUIRE(found != module.fields.end());
  return *found;
}

/// conv (batch) -> ReLU in place -> View, after forward and backward of 2x1x4x4.
nn::Inspection inspectionOfSharingNetwork(const std::shared_ptr<Backend>& backend) {
  const auto network = moduleOn(
      backend, "nn.SpatialConvolution(1,2,3,3); nn.ReLU(true); nn.View(8):setNumInputDims(3)");
  network->setWorkspaceStrategy(nn::WorkspaceStrategy::batch);
  const auto input = randomTensor(*backend, {2, 1, 4, 4}, 1);
  const auto gradOutput = randomTensor(*backend, network->forward(input).tensor().shape(), 2);
  network->backward(input, gradOutput);
  auto inspection = nn::inspect(*network);
  // The gradInput of the View looks at gradOutput.
  CHECK(inspection.totals.heldBytes == heldBytesBelow("net") + gradOutput.bytes());
  return inspection;
}

}  // namespace

TEST_CASE("modules are listed depth first with path and type and description") {
  FOR_EACH_BACKEND(backend) {
    const auto network =
        moduleOn(backend, "nn.Linear(2,3); nn.Sequential():add(nn.Tanh()); nn.Sigmoid()");
    const auto modules = nn::inspect(*network).modules;
    REQUIRE(modules.size() == 5);
    CHECK(modules[0].path == "net");
    CHECK(modules[0].isContainer);
    CHECK(modules[1].path == "net/1");
    CHECK(modules[1].type == "nn.Linear");
    CHECK(modules[1].description == "nn.Linear(2 -> 3)");
    CHECK_FALSE(modules[1].isContainer);
    CHECK(modules[3].path == "net/2/1");
    CHECK(modules[4].path == "net/3");
  }
}

TEST_CASE("fields tell shape and bytes and type and role") {
  FOR_EACH_BACKEND(backend) {
    const auto network = moduleOn(backend, "nn.SpatialMaxPooling(2,2)");
    network->forward(randomTensor(*backend, {2, 3, 4, 6}, 1));
    const auto inspection = nn::inspect(*network);
    const auto& indices = fieldOf(inspection.modules[0], "indices");
    CHECK(indices.shape == Shape{2, 3, 2, 3});
    CHECK(indices.dtype == DType::int64);
    CHECK(indices.role == nn::Role::buffer);
    CHECK(indices.bytes == 36 * 8);
    CHECK(indices.storageBytes == 36 * 8);
    const auto& gradInput = fieldOf(inspection.modules[0], "gradInput");
    CHECK(gradInput.bytes == 0);
    CHECK(gradInput.storage == 0);
  }
}

TEST_CASE("a storage that several tensors look at is numbered and counted once") {
  FOR_EACH_BACKEND(backend) {
    const auto inspection = inspectionOfSharingNetwork(backend);
    const auto& modules = inspection.modules;
    const auto& output = fieldOf(modules[1], "output");
    CHECK(output.storage > 0);
    for (const std::size_t module : {0, 2, 3}) {
      CHECK(fieldOf(modules[module], "output").storage == output.storage);
    }
    CHECK(fieldOf(modules[2], "gradInput").storage == fieldOf(modules[3], "gradInput").storage);
    CHECK(fieldOf(modules[0], "gradInput").storage == fieldOf(modules[1], "gradInput").storage);
    CHECK(fieldOf(modules[1], "finput").storage != fieldOf(modules[1], "fgradInput").storage);
  }
}

TEST_CASE("the upper bound counts every tensor and held bytes every storage") {
  FOR_EACH_BACKEND(backend) {
    const auto& totals = inspectionOfSharingNetwork(backend).totals;
    // Output 2x2x2x2, gradInput 2x1x4x4, gradOutput 2x8, columns 2x9x4, weight 2x1x3x3, bias 2.
    constexpr std::int64_t output = 64, gradInput = 128, gradOutput = 64, columns = 288;
    constexpr std::int64_t parameters = 72 + 8;
    CHECK(totals.upperBoundBytes ==
          4 * output + 2 * gradInput + 2 * gradOutput + 2 * columns + 2 * parameters);
    CHECK(totals.heldBytes == output + gradInput + gradOutput + 2 * columns + 2 * parameters);
    CHECK(totals.workspaceBytes == 2 * columns);
    CHECK(totals.parameterBytes == parameters);
    CHECK(totals.heldBytesByField.at("finput") == columns);
    CHECK(totals.heldBytesByField.at("output") == output);
    CHECK(totals.heldBytesByField.at("gradInput") == gradInput + gradOutput);
    std::int64_t byField = 0;
    for (const auto& [field, bytes] : totals.heldBytesByField) byField += bytes;
    CHECK(byField == totals.heldBytes);
  }
}

TEST_CASE("a storage counts for the first layer that looks at it and not for its container") {
  FOR_EACH_BACKEND(backend) {
    const auto modules = inspectionOfSharingNetwork(backend).modules;
    CHECK(fieldOf(modules[0], "output").heldBytes == 0);
    CHECK(fieldOf(modules[1], "output").heldBytes == 64);
    CHECK(fieldOf(modules[2], "output").heldBytes == 0);
    CHECK(fieldOf(modules[0], "gradInput").heldBytes == 0);
    CHECK(fieldOf(modules[1], "gradInput").heldBytes == 128);
  }
}

TEST_CASE("held bytes count a storage at its real size") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.Tanh()");
    module->forward(randomTensor(*backend, {100}, 1));
    module->forward(randomTensor(*backend, {10}, 1));
    const auto totals = nn::inspect(*module).totals;
    CHECK(totals.upperBoundBytes == 40);
    CHECK(totals.heldBytes == 400);
    CHECK(totals.heldBytesByField.at("output") == 400);
  }
}

TEST_CASE("a workspace that several layers look at is counted once") {
  FOR_EACH_BACKEND(backend) {
    const auto network = moduleOn(backend,
                                  "nn.SpatialFullConvolution(1,1,3,3);"
                                  "nn.SpatialFullConvolution(1,1,3,3)");
    network->forward(randomTensor(*backend, {1, 1, 2, 2}, 1));
    const auto layers = network->children();
    CHECK(nn::inspect(*network).totals.workspaceBytes == 4 * (9 * 4 + 16 + 9 * 16 + 36));
    testing::fieldOf(*layers[0], "finput").set(testing::fieldOf(*layers[1], "finput"));
    const auto totals = nn::inspect(*network).totals;
    CHECK(totals.workspaceBytes == 4 * (16 + 9 * 16 + 36));
    CHECK(totals.heldBytes == heldBytesBelow("net"));
  }
}

TEST_CASE("flat parameters are one storage that counts where its parts are") {
  FOR_EACH_BACKEND(backend) {
    const auto network = moduleOn(backend, "nn.Linear(2,3); nn.Linear(3,1)");
    const auto flat = network->getParameters();
    const auto [modules, totals] = nn::inspect(*network);
    CHECK(totals.parameterBytes == 13 * 4);
    CHECK(totals.heldBytes == 2 * 13 * 4);
    CHECK(fieldOf(modules[1], "weight").heldBytes == 6 * 4);
    CHECK(fieldOf(modules[2], "weight").heldBytes == 3 * 4);
    CHECK(totals.heldBytesByField.at("weight") == 9 * 4);
    CHECK(totals.heldBytesByField.at("gradBias") == 4 * 4);
    CHECK(flat.parameters.storage()->bytes() == 13 * 4);
  }
}

TEST_CASE("a network before its first forward holds parameters only") {
  FOR_EACH_BACKEND(backend) {
    const auto module = moduleOn(backend, "nn.SpatialConvolution(3,4,4,4,2,2,1,1)");
    const auto totals = nn::inspect(*module).totals;
    CHECK(totals.heldBytes == 2 * (768 + 16));
    CHECK(totals.workspaceBytes == 0);
    CHECK(totals.upperBoundBytes == totals.heldBytes);
  }
}

}  // namespace torchette::testing

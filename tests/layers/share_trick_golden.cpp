// What sharing workspaces in training did to the gradients of the real Torch7, and does here with
// the guards off.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "layers/convolution.h"
#include "layers/workspace_sharing.h"
#include "tests/layers/layer_support.h"
#include "tests/support/golden.h"

namespace torchette::testing {

namespace {

using nlohmann::json;
using Floats = std::vector<float>;
using Fields = std::set<std::string, std::less<>>;

constexpr double tolerance = 1e-5;

/// The largest difference over the largest expected value.
double relativeDifference(const Floats& actual, const Floats& expected) {
  REQUIRE(actual.size() == expected.size());
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    difference = std::max<double>(difference, std::abs(actual[i] - expected[i]));
    largest = std::max<double>(largest, std::abs(expected[i]));
  }
  return difference / largest;
}

std::string expressionOf(const std::string& kind) {
  const std::string tanh = "; nn.Tanh(); ";
  if (kind == "different") {
    return "nn.SpatialConvolution(3,6,3,3,1,1,1,1)" + tanh +
           "nn.SpatialConvolution(6,8,3,3,2,2,1,1)" + tanh +
           "nn.SpatialConvolution(8,4,3,3,1,1,1,1)";
  }
  const std::string convolution = "nn.SpatialConvolution(4,4,3,3,1,1,1,1)";
  return convolution + tanh + convolution + tanh + convolution;
}

Floats floatsOf(const json& tensor) { return goldenFloats(tensor.at("data")); }

/// A network of three convolutions as it was in Torch7. `kind` is "different" or "same".
class TrickNetwork {
 public:
  TrickNetwork(const std::shared_ptr<Backend>& backend, const std::string& kind)
      : backend_(*backend),
        kind_(kind),
        golden_(loadGolden("share_trick.json")),
        reference_(golden_.at("reference_" + kind)),
        network_(moduleOn(backend, expressionOf(kind))) {
    network_->setWorkspaceStrategy(nn::WorkspaceStrategy::batch);
    CHECK(network_->description() == reference_.at("net").get<std::string>());
    for (std::size_t i = 0; i < 3; ++i) {
      convolution(i).weight.copyFromValues(floatsOf(reference_.at("weights").at(i)));
      convolution(i).bias.copyFromValues(floatsOf(reference_.at("biases").at(i)));
    }
  }

  void shareWithoutGuards(const Fields& fields) {
    nn::shareWorkspaces(*network_, {.fields = fields, .isGuarded = false});
  }

  void train() {
    const auto input = goldenTensor(backend_.allocator(), reference_.at("input"));
    network_->forward(input);
    network_->backward(input, goldenTensor(backend_.allocator(), reference_.at("gradOutput")));
  }

  /// Output, gradInputs and gradBias are right, whatever is shared.
  void checkWhatStaysRight() {
    checkClose(valuesOf(network_->output), floatsOf(reference_.at("output")), tolerance);
    checkClose(valuesOf(network_->gradInput), floatsOf(reference_.at("gradInput")), tolerance);
    for (std::size_t i = 0; i < 3; ++i) {
      CAPTURE(i);
      checkClose(valuesOf(convolution(i).gradBias), floatsOf(reference_.at("gradBias").at(i)),
                 tolerance);
      checkClose(valuesOf(convolution(i).gradInput),
                 floatsOf(reference_.at("layer_gradInput").at(i)), tolerance);
    }
  }

  /// gradWeight has the very values, right or wrong, that it had in Torch7.
  void checkGradWeights(const std::string& shared) {
    for (std::size_t i = 0; i < 3; ++i) {
      CAPTURE(i);
      const auto& layer = experiment(shared).at("layers").at(i);
      checkClose(valuesOf(convolution(i).gradWeight), floatsOf(layer.at("gradWeight")), tolerance);
      const double error = gradWeightError(i);
      MESSAGE(kind_ << " shapes, " << shared << " shared: gradWeight of convolution " << i + 1
                    << " is off by " << error);
      CHECK(std::abs(error - layer.at("gradWeight_max_rel").get<double>()) < 1e-3);
    }
  }

  /// The error of a gradWeight, relative to its largest right value.
  double gradWeightError(std::size_t i) {
    return relativeDifference(valuesOf(convolution(i).gradWeight),
                              floatsOf(reference_.at("gradWeight").at(i)));
  }

  /// Bytes that Torch7 counted, of finput and fgradInput.
  std::int64_t goldenBytes(const std::string& shared, const std::string& key) const {
    return experiment(shared).at(key).get<std::int64_t>();
  }

 private:
  nn::Convolution& convolution(std::size_t i) {
    return dynamic_cast<nn::Convolution&>(*network_->children().at(2 * i));
  }

  const json& experiment(const std::string& shared) const {
    const auto& all = golden_.at("experiments");
    return *std::ranges::find_if(
        all, [&](const json& one) { return one.at("name") == kind_ + "/storage/" + shared; });
  }

  Backend& backend_;
  std::string kind_;
  json golden_;
  const json& reference_;
  std::unique_ptr<nn::Module> network_;
};

std::int64_t heldWorkspaceBytes() {
  std::int64_t bytes = 0;
  for (const auto& holding : ledger()->liveHoldings()) {
    const bool isWorkspace = holding.field == "finput" || holding.field == "fgradInput";
    bytes += isWorkspace ? holding.bytes : 0;
  }
  return bytes;
}

/// The network after one training step with these fields shared and no guards.
void checkExperiment(const std::shared_ptr<Backend>& backend, const std::string& kind,
                     const std::string& shared, const Fields& fields) {
  CAPTURE(kind);
  CAPTURE(shared);
  TrickNetwork network(backend, kind);
  network.shareWithoutGuards(fields);
  network.train();
  network.checkWhatStaysRight();
  network.checkGradWeights(shared);
  CHECK(heldWorkspaceBytes() == network.goldenBytes(shared, "bytes_shared"));
}

/// A convolution, whose fgradInput is scratch, and a full convolution, whose fgradInput is ones,
/// over one storage.
struct MixedNetwork {
  explicit MixedNetwork(const std::shared_ptr<Backend>& backend)
      : input(randomTensor(*backend, {2, 3, 8, 8}, 71)),
        gradOutput(randomTensor(*backend, {2, 2, 8, 8}, 72)),
        network(moduleOn(backend,
                         "nn.SpatialConvolution(3,4,3,3,1,1,1,1);"
                         "nn.SpatialFullConvolution(4,2,3,3,1,1,1,1)")) {
    network->setWorkspaceStrategy(nn::WorkspaceStrategy::batch);
  }

  void mixFgradInputs() const {
    auto& scratch = fieldOf(*network->children()[0], "fgradInput");
    fieldOf(*network->children()[1], "fgradInput") = Tensor(scratch.storage());
  }

  /// The output of the second of two training iterations.
  Floats secondOutput() const {
    network->forward(input);
    network->backward(input, gradOutput);
    return valuesOf(network->forward(input));
  }

  Tensor input, gradOutput;
  std::unique_ptr<nn::Module> network;
};

}  // namespace

TEST_CASE("without sharing all gradients are those of Torch7") {
  FOR_EACH_BACKEND(backend) {
    for (const std::string kind : {"different", "same"}) {
      TrickNetwork network(backend, kind);
      network.train();
      network.checkWhatStaysRight();
      for (std::size_t i = 0; i < 3; ++i) CHECK(network.gradWeightError(i) < tolerance);
      CHECK(heldWorkspaceBytes() == network.goldenBytes("finput", "bytes_unshared"));
    }
  }
}

TEST_CASE("sharing finput in unguarded training makes gradWeight as wrong as in Torch7") {
  FOR_EACH_BACKEND(backend) {
    for (const std::string kind : {"different", "same"}) {
      checkExperiment(backend, kind, "finput+fgradInput", {"finput", "fgradInput"});
      checkExperiment(backend, kind, "finput", {"finput"});
    }
  }
}

TEST_CASE("sharing fgradInput alone does convolutions no harm") {
  FOR_EACH_BACKEND(backend) {
    for (const std::string kind : {"different", "same"}) {
      checkExperiment(backend, kind, "fgradInput", {"fgradInput"});
    }
  }
}

TEST_CASE("one fgradInput for convolution and full convolution breaks the unguarded output") {
  FOR_EACH_BACKEND(backend) {
    const auto right = MixedNetwork(backend).secondOutput();
    const MixedNetwork unguarded(backend);
    nn::shareWorkspaces(*unguarded.network, {.fields = {}, .isGuarded = false});
    unguarded.mixFgradInputs();
    const auto error = relativeDifference(unguarded.secondOutput(), right);
    MESSAGE("scratch in the plane of ones: the second output is off by " << error);
    CHECK(error > 0.01);
    const MixedNetwork guarded(backend);
    guarded.mixFgradInputs();
    CHECK(guarded.secondOutput() == right);
  }
}

}  // namespace torchette::testing

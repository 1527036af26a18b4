// One pair of functions per struct: to its document and back.
#include "examples/training/checkpoint_document.h"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "examples/training/epoch_record_json.h"

namespace torchette::training {

namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "checkpoints hold little-endian floats");

Json binary(const std::vector<float>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(float));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return Json::binary(std::move(bytes));
}

std::vector<float> floatsFrom(const Json& document) {
  const auto& bytes = document.get_binary();
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

Json toDocument(const SavedTensor& tensor) {
  return {{"path", tensor.path},
          {"field", tensor.field},
          {"shape", tensor.shape.extents()},
          {"values", binary(tensor.values)}};
}

SavedTensor tensorFrom(const Json& document) {
  return {document.at("path"), document.at("field"),
          Shape(document.at("shape").get<std::vector<std::int64_t>>()),
          floatsFrom(document.at("values"))};
}

Json toDocument(const DataIdentity& data) {
  return {{"name", data.name},
          {"trainingImages", data.trainingImages},
          {"testImages", data.testImages},
          {"trainingChecksum", data.trainingChecksum},
          {"testChecksum", data.testChecksum}};
}

DataIdentity dataFrom(const Json& document) {
  return {document.at("name"), document.at("trainingImages"), document.at("testImages"),
          document.at("trainingChecksum"), document.at("testChecksum")};
}

Json toDocument(const TrainingOptions& options) {
  return {{"epochs", options.epochs},
          {"batch", options.batch},
          {"optimizer", options.optimizer},
          {"learningRate", options.learningRate},
          {"learningRateDecay", options.learningRateDecay},
          {"momentum", options.momentum},
          {"weightDecay", options.weightDecay},
          {"seed", options.seed}};
}

TrainingOptions optionsFrom(const Json& document) {
  return {.epochs = document.at("epochs"),
          .batch = document.at("batch"),
          .optimizer = document.at("optimizer"),
          .learningRate = document.at("learningRate"),
          .learningRateDecay = document.at("learningRateDecay"),
          .momentum = document.at("momentum"),
          .weightDecay = document.at("weightDecay"),
          .seed = document.at("seed")};
}

Json toDocument(const RunIdentity& identity) {
  return {{"model", identity.model},
          {"description", identity.description},
          {"data", toDocument(identity.data)},
          {"options", toDocument(identity.options)}};
}

RunIdentity identityFrom(const Json& document) {
  return {document.at("model"), document.at("description"), dataFrom(document.at("data")),
          optionsFrom(document.at("options"))};
}

template <class Element>
Json list(const std::vector<Element>& elements) {
  auto result = Json::array();
  for (const auto& element : elements) result.push_back(toDocument(element));
  return result;
}

template <class Element>
std::vector<Element> listFrom(const Json& document, Element (*elementFrom)(const Json&)) {
  std::vector<Element> elements;
  for (const auto& element : document) elements.push_back(elementFrom(element));
  return elements;
}

}  // namespace

Json toDocument(const Checkpoint& checkpoint) {
  return {{"identity", toDocument(checkpoint.identity)},
          {"history", list(checkpoint.history)},
          {"parameters", binary(checkpoint.parameters)},
          {"moduleState", list(checkpoint.moduleState)},
          {"optimizerSteps", checkpoint.optimizerSteps},
          {"optimizerState", list(checkpoint.optimizerState)},
          {"generator", checkpoint.generator}};
}

Checkpoint checkpointFrom(const Json& document) {
  return {.identity = identityFrom(document.at("identity")),
          .history = listFrom(document.at("history"), epochRecordFrom),
          .parameters = floatsFrom(document.at("parameters")),
          .moduleState = listFrom(document.at("moduleState"), tensorFrom),
          .optimizerSteps = document.at("optimizerSteps"),
          .optimizerState = listFrom(document.at("optimizerState"), tensorFrom),
          .generator = document.at("generator")};
}

}  // namespace torchette::training

// The members keep the order in which the log shows them.
#include "examples/training/epoch_record_json.h"

#include <nlohmann/json.hpp>

namespace torchette::training {

namespace {

std::optional<double> optionalNumber(const nlohmann::ordered_json& document, const char* name) {
  if (!document.contains(name)) return std::nullopt;
  return document.at(name).get<double>();
}

}  // namespace

nlohmann::ordered_json toDocument(const EpochRecord& record) {
  nlohmann::ordered_json document{{"epoch", record.epoch}, {"loss", record.loss}};
  if (record.testAccuracy) document["testAccuracy"] = *record.testAccuracy;
  if (record.testError) document["testError"] = *record.testError;
  document["imagesPerSecond"] = record.imagesPerSecond;
  document["seconds"] = record.seconds;
  document["peakBytes"] = record.peakBytes;
  return document;
}

EpochRecord epochRecordFrom(const nlohmann::ordered_json& document) {
  return {.epoch = document.at("epoch"),
          .loss = document.at("loss"),
          .testAccuracy = optionalNumber(document, "testAccuracy"),
          .testError = optionalNumber(document, "testError"),
          .imagesPerSecond = document.at("imagesPerSecond"),
          .seconds = document.at("seconds"),
          .peakBytes = document.at("peakBytes")};
}

}  // namespace torchette::training

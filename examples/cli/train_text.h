// What torchette train says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "examples/cli/memory_report.h"
#include "examples/training/epoch_record.h"
#include "examples/training/options.h"

namespace torchette::cli {

/// What is trained on what and how.
struct TrainFacts {
  std::string model;
  std::int64_t parameters = 0;
  std::string backend;
  int threads = 0;
  std::string workspace;
  std::string data;
  std::int64_t trainingImages = 0;
  std::int64_t testImages = 0;
  Shape sampleShape;
  training::TrainingOptions options;
};

/// Three lines, before the first epoch.
std::string introduction(const TrainFacts& facts);

/// "epoch 1/2  loss 0.5213  test accuracy 87.10 %  2,500 images/s  24.0 s  peak 35.2 MiB"
std::string epochLine(const training::EpochRecord& record, std::int64_t epochs);

/// One JSON document about the whole run; `report` may be null.
std::string resultAsJson(const TrainFacts& facts, const std::vector<training::EpochRecord>& history,
                         const MemoryReport* report);

/// The command line that continues, from `checkpoint`, the run that `arguments` began; for a shell.
std::string commandToContinue(const std::vector<std::string>& arguments,
                              const std::filesystem::path& checkpoint);

}  // namespace torchette::cli

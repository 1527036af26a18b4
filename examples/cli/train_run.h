// What torchette train does.
#pragma once

#include <string>
#include <vector>

#include "examples/cli/train_options.h"

namespace torchette::cli {

/// Trains, tests and reports. Throws StateError if asked to stop (see interruption.h), saying how
/// to continue the run that the command line `arguments` began.
void runTraining(const TrainOptions& options, const std::vector<std::string>& arguments);

}  // namespace torchette::cli

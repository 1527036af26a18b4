// Putting small runs together.
#include "tests/examples/small_run.h"

namespace torchette::testing {

data::ImageData smallImages(std::uint32_t seed) {
  return data::syntheticData(50, 21, {1, 8, 8}, 3, seed);
}

training::TrainingOptions smallOptions(const std::string& optimizer) {
  auto options = training::defaultOptions(nn::Objective::classification, optimizer);
  options.epochs = 4;
  options.batch = 8;
  options.seed = 7;
  return options;
}

SmallRun::SmallRun(std::shared_ptr<Backend> backend, std::shared_ptr<Ledger> ledger,
                   const std::string& modelText, const training::TrainingOptions& options,
                   const data::ImageData& data)
    : context{std::move(backend), std::make_shared<Generator>(options.seed)},
      images(data),
      model(nn::makeModel(modelText, context)),
      trainer(context, model, images, options, std::move(ledger)) {}

}  // namespace torchette::testing

// A program to kill. It either trains, from the checkpoint in DIRECTORY if there is one,
//   training_program train DIRECTORY EPOCHS
// or writes checkpoints of 1, 2, 3, ... epochs into one file, without end,
//   training_program write FILE
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>

#include "backends/cpu/cpu_backend.h"
#include "examples/training/run.h"
#include "runtime/allocators.h"
#include "runtime/host_device.h"
#include "tests/examples/small_run.h"

namespace torchette {

namespace {

void train(const std::filesystem::path& directory, std::int64_t epochs) {
  const auto ledger = std::make_shared<Ledger>();
  const auto device = std::make_shared<DeviceAllocator>(std::make_shared<HostDevice>());
  const auto allocator = std::make_shared<TrackingAllocator>(device, ledger);
  auto options = testing::smallOptions();
  options.epochs = epochs;
  testing::SmallRun run(std::make_shared<CpuBackend>(allocator, 1), ledger,
                        testing::smallClassifier, options);
  const auto checkpoint = directory / "checkpoint";
  if (std::filesystem::exists(checkpoint)) {
    run.trainer.restore(training::readCheckpoint(checkpoint), checkpoint.string());
  }
  training::run(run.trainer,
                {.checkpoint = checkpoint, .log = directory / "log.jsonl", .samples = {}});
}

[[noreturn]] void writeForever(const std::filesystem::path& path) {
  training::Checkpoint checkpoint;
  checkpoint.parameters.resize(200'000, 0.5f);
  while (true) {
    const auto epoch = static_cast<std::int64_t>(checkpoint.history.size()) + 1;
    checkpoint.history.emplace_back().epoch = epoch;
    training::writeCheckpoint(checkpoint, path);
  }
}

}  // namespace

}  // namespace torchette

int main(int argumentCount, char** arguments) {
  try {
    const std::vector<std::string> words(arguments + 1, arguments + argumentCount);
    if (words.size() == 3 && words[0] == "train") torchette::train(words[1], std::stoll(words[2]));
    if (words.size() == 2 && words[0] == "write") torchette::writeForever(words[1]);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}

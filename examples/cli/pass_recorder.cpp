// Naming passes and putting them between events.
#include "examples/cli/pass_recorder.h"

namespace torchette::cli {

namespace {

const char* nameOf(nn::Pass pass) {
  switch (pass) {
    case nn::Pass::updateOutput:
      return "updateOutput";
    case nn::Pass::updateGradInput:
      return "updateGradInput";
    default:
      return "accGradParameters";
  }
}

}  // namespace

void PassRecorder::mark(bool isBegin, const std::string& path, nn::Pass pass) {
  marks_.push_back({isBegin, path + " " + nameOf(pass), ledger_->phase(), ledger_->eventCount()});
}

}  // namespace torchette::cli

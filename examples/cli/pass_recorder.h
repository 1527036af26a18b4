// PassRecorder: the passes of a network's modules among the events of a ledger.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "layers/pass_observer.h"
#include "runtime/ledger.h"

namespace torchette::cli {

/// The begin or the end of a module's pass.
struct PassMark {
  bool isBegin = true;
  std::string name;   ///< "net/conv1 updateOutput"
  std::string phase;  ///< the ledger's
  std::size_t eventsBefore = 0;
};

class PassRecorder : public nn::PassObserver {
 public:
  explicit PassRecorder(std::shared_ptr<const Ledger> ledger) : ledger_(std::move(ledger)) {}

  void beginPass(const std::string& path, nn::Pass pass) override { mark(true, path, pass); }
  void endPass(const std::string& path, nn::Pass pass) noexcept override {
    mark(false, path, pass);
  }
  /// In the order of time.
  const std::vector<PassMark>& marks() const { return marks_; }

 private:
  void mark(bool isBegin, const std::string& path, nn::Pass pass);

  std::shared_ptr<const Ledger> ledger_;
  std::vector<PassMark> marks_;
};

}  // namespace torchette::cli

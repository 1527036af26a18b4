// OperationObserver: is told what each operation of a backend, and each copy of a device, reads and
// writes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace torchette {

/// A range of one allocation, `bytes` > 0. Where rows lie apart (a leading dimension above the
/// row's length, a strided copy), one range covers the first row to the last, gaps included.
struct Access {
  const void* address = nullptr;
  std::int64_t bytes = 0;
};

/// What an operation touches. Bytes that it reads before it writes them are in both lists; it may
/// leave bytes that it says it reads unread, but leaves none unwritten, except in gaps.
struct Operation {
  std::string_view name;
  std::vector<Access> reads, writes;
};

/// Base of those who watch a run. One observer may be told by a backend and by its device; it
/// numbers operations from 0 on in the order in which they run. Not for several threads at once:
/// RecordingBackend runs all items of forEach on the caller's.
class OperationObserver {
 public:
  virtual ~OperationObserver() = default;

  /// Runs an operation and tells of its beginning and end. What runs inside another operation (the
  /// copies that fill memory with random numbers, for example) is part of that and not told.
  template <class Run>
  void watch(const Operation& operation, const Run& run) {
    if (isWatching_) return run();
    const WatchScope scope(*this);
    const std::int64_t index = count_++;
    beforeOperation(index, operation);
    run();
    afterOperation(index, operation);
  }

 protected:
  virtual void beforeOperation(std::int64_t index, const Operation& operation) = 0;
  /// Not called if the operation throws.
  virtual void afterOperation(std::int64_t /*index*/, const Operation& /*operation*/) {}

 private:
  class WatchScope {
   public:
    explicit WatchScope(OperationObserver& observer) : observer_(observer) {
      observer_.isWatching_ = true;
    }
    ~WatchScope() { observer_.isWatching_ = false; }
    WatchScope(const WatchScope&) = delete;
    WatchScope& operator=(const WatchScope&) = delete;

   private:
    OperationObserver& observer_;
  };

  std::int64_t count_ = 0;
  bool isWatching_ = false;
};

}  // namespace torchette

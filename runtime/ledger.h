// Ledger: the record of every allocation, by owner and field.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/allocator.h"

namespace torchette {

/// Bytes that one field of one owner holds.
struct Holding {
  std::string owner;
  std::string field;
  std::int64_t bytes = 0;

  bool operator==(const Holding&) const = default;
};

/// One change of the live bytes.
struct LedgerEvent {
  enum class Kind { made, grown, freed };

  Kind kind = Kind::made;
  std::string phase;  ///< as last set by beginPhase
  std::string owner;
  std::string field;
  std::int64_t bytes = 0;      ///< bytes of the buffer made or freed
  std::int64_t liveBytes = 0;  ///< total after the event
};

/// Live and peak bytes in total and per owner and field. A free is credited to the owner and field
/// that allocated. All members may be called from any thread.
class Ledger {
 public:
  /// `address` must not be live already. A second live buffer of one storage counts as its growth.
  void recordAllocation(const void* address, std::int64_t bytes, const AllocationTag& tag);
  /// `address` must be live.
  void recordFree(const void* address) noexcept;

  std::int64_t liveBytes() const;
  std::int64_t peakBytes() const;
  /// The peak restarts from what is live.
  void resetPeak();

  /// Everything live, largest first; the bytes add up to liveBytes().
  std::vector<Holding> liveHoldings() const;
  /// Who held what when the peak was reached, largest first; the bytes add up to peakBytes().
  std::vector<Holding> peakHoldings() const;

  /// Keeps a list of events from now on, for timelines. Off by default: the list grows with each
  /// event.
  void startRecordingEvents();
  std::vector<LedgerEvent> events() const;
  std::size_t eventCount() const;
  /// Names what the program does now, e.g. "forward"; events carry it.
  void beginPhase(std::string phase);
  std::string phase() const;

 private:
  using HolderIndex = std::size_t;
  struct Entry {
    HolderIndex holder;
    std::int64_t bytes;
    std::int64_t storage;
  };

  HolderIndex holderIndex(const AllocationTag& tag);
  void recordEvent(LedgerEvent::Kind kind, const Entry& entry);
  std::vector<Holding> holdings(const std::vector<std::int64_t>& bytesByHolder) const;

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, HolderIndex> holderByName_;
  std::vector<std::pair<std::string, std::string>> names_;  ///< owner, field by HolderIndex
  std::vector<std::int64_t> live_;                          ///< bytes by HolderIndex
  /// Bytes by HolderIndex at the peak; valid only once live bytes have fallen below the peak.
  std::vector<std::int64_t> peak_;
  bool isAtPeak_ = true;
  std::unordered_map<const void*, Entry> entries_;
  std::unordered_map<std::int64_t, int> buffersByStorage_;
  std::int64_t liveBytes_ = 0;
  std::int64_t peakBytes_ = 0;
  bool recordsEvents_ = false;
  std::vector<LedgerEvent> events_;
  std::string phase_;
};

}  // namespace torchette

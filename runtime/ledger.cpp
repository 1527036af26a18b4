// Bookkeeping of live and peak bytes. The peak's holders are copied only when the peak is left, so
// that an allocation costs no more than a look-up.
#include "runtime/ledger.h"

#include <algorithm>
#include <utility>

namespace torchette {

void Ledger::recordAllocation(const void* address, std::int64_t bytes, const AllocationTag& tag) {
  const std::lock_guard lock(mutex_);
  const Entry entry{holderIndex(tag), bytes, tag.storage};
  entries_.emplace(address, entry);
  live_[entry.holder] += bytes;
  liveBytes_ += bytes;
  if (liveBytes_ >= peakBytes_) {
    peakBytes_ = liveBytes_;
    isAtPeak_ = true;
  }
  const bool isGrowth = tag.storage != 0 && ++buffersByStorage_[tag.storage] > 1;
  recordEvent(isGrowth ? LedgerEvent::Kind::grown : LedgerEvent::Kind::made, entry);
}

void Ledger::recordFree(const void* address) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(address);
  const Entry entry = found->second;
  entries_.erase(found);
  if (isAtPeak_) peak_ = live_;
  isAtPeak_ = false;
  live_[entry.holder] -= entry.bytes;
  liveBytes_ -= entry.bytes;
  if (entry.storage != 0 && --buffersByStorage_[entry.storage] == 0) {
    buffersByStorage_.erase(entry.storage);
  }
  recordEvent(LedgerEvent::Kind::freed, entry);
}

std::int64_t Ledger::liveBytes() const {
  const std::lock_guard lock(mutex_);
  return liveBytes_;
}

std::int64_t Ledger::peakBytes() const {
  const std::lock_guard lock(mutex_);
  return peakBytes_;
}

void Ledger::resetPeak() {
  const std::lock_guard lock(mutex_);
  peakBytes_ = liveBytes_;
  isAtPeak_ = true;
}

std::vector<Holding> Ledger::liveHoldings() const {
  const std::lock_guard lock(mutex_);
  return holdings(live_);
}

std::vector<Holding> Ledger::peakHoldings() const {
  const std::lock_guard lock(mutex_);
  return holdings(isAtPeak_ ? live_ : peak_);
}

void Ledger::startRecordingEvents() {
  const std::lock_guard lock(mutex_);
  recordsEvents_ = true;
}

std::vector<LedgerEvent> Ledger::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

std::size_t Ledger::eventCount() const {
  const std::lock_guard lock(mutex_);
  return events_.size();
}

void Ledger::beginPhase(std::string phase) {
  const std::lock_guard lock(mutex_);
  phase_ = std::move(phase);
}

std::string Ledger::phase() const {
  const std::lock_guard lock(mutex_);
  return phase_;
}

Ledger::HolderIndex Ledger::holderIndex(const AllocationTag& tag) {
  const auto [found, isNew] = holderByName_.try_emplace({tag.owner, tag.field}, names_.size());
  if (isNew) {
    names_.push_back(found->first);
    live_.push_back(0);
  }
  return found->second;
}

void Ledger::recordEvent(LedgerEvent::Kind kind, const Entry& entry) {
  if (!recordsEvents_) return;
  const auto& [owner, field] = names_[entry.holder];
  events_.push_back({kind, phase_, owner, field, entry.bytes, liveBytes_});
}

std::vector<Holding> Ledger::holdings(const std::vector<std::int64_t>& bytesByHolder) const {
  std::vector<Holding> result;
  for (std::size_t i = 0; i < bytesByHolder.size(); ++i) {
    if (bytesByHolder[i] > 0) {
      result.push_back({names_[i].first, names_[i].second, bytesByHolder[i]});
    }
  }
  std::ranges::stable_sort(result, std::ranges::greater{}, &Holding::bytes);
  return result;
}

}  // namespace torchette

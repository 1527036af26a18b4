#include "backends/dry/storage_lifetimes.h"

#include <iterator>
#include <utility>

namespace torchette {

void StorageLifetimes::start() {
  operations_ = 0;
  std::erase_if(records_, [](const Record& record) { return record.isFreed; });
  live_.clear();
  for (std::size_t i = 0; i < records_.size(); ++i) {
    auto& [result, written, address, isFreed] = records_[i];
    live_[address] = i;
    result.operations = 0;
    result.hasOlderContent = false;
    written = {};
  }
}

std::vector<RecordedStorage> StorageLifetimes::storages() const {
  std::vector<RecordedStorage> results;
  for (const auto& record : records_) {
    if (record.result.operations == 0) continue;
    auto& result = results.emplace_back(record.result);
    if (!result.hasOlderContent) continue;
    result.lifetime.firstUse = 0;
    result.lifetime.lastUse = operations_ - 1;
  }
  return results;
}

std::vector<StorageLifetime> StorageLifetimes::lifetimes() const {
  std::vector<StorageLifetime> results;
  for (auto& recorded : storages()) results.push_back(std::move(recorded.lifetime));
  return results;
}

void StorageLifetimes::onAllocation(const void* address, std::int64_t bytes,
                                    const AllocationTag& tag) {
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  auto& record = records_.emplace_back();
  record.address = start;
  auto& result = record.result;
  result.lifetime = {.owner = tag.owner, .field = tag.field, .bytes = bytes};
  result.storage = tag.storage;
  live_[start] = records_.size() - 1;
}

void StorageLifetimes::onFree(const void* address) noexcept {
  const auto found = live_.find(reinterpret_cast<std::uintptr_t>(address));
  if (found == live_.end()) return;
  records_[found->second].isFreed = true;
  live_.erase(found);
}

void StorageLifetimes::beforeOperation(std::int64_t /*index*/, const Operation& operation) {
  for (const auto& access : operation.reads) {
    const auto [record, begin, end] = find(access);
    if (record == nullptr) continue;
    if (!record->written.contain(begin, end)) record->result.hasOlderContent = true;
    use(*record);
  }
  for (const auto& access : operation.writes) {
    const auto [record, begin, end] = find(access);
    if (record == nullptr) continue;
    record->written.add(begin, end);
    use(*record);
  }
  ++operations_;
}

StorageLifetimes::Use StorageLifetimes::find(const Access& access) {
  const auto address = reinterpret_cast<std::uintptr_t>(access.address);
  const auto after = live_.upper_bound(address);
  if (after == live_.begin()) return {};
  const auto& [start, index] = *std::prev(after);
  auto& record = records_[index];
  const auto begin = static_cast<std::int64_t>(address - start);
  if (begin >= record.result.lifetime.bytes) return {};
  return {&record, begin, begin + access.bytes};
}

void StorageLifetimes::use(Record& record) {
  auto& [lifetime, storage, operations, hasOlderContent] = record.result;
  if (operations == 0) lifetime.firstUse = operations_;
  // An operation that uses an allocation twice counts once.
  if (operations == 0 || lifetime.lastUse != operations_) ++operations;
  lifetime.lastUse = operations_;
}

LifetimeAllocator::LifetimeAllocator(std::shared_ptr<Allocator> upstream,
                                     std::shared_ptr<StorageLifetimes> lifetimes)
    : ForwardingAllocator(std::move(upstream)), lifetimes_(std::move(lifetimes)) {}

void* LifetimeAllocator::allocate(std::int64_t bytes, const AllocationTag& tag) {
  void* data = ForwardingAllocator::allocate(bytes, tag);
  try {
    lifetimes_->onAllocation(data, bytes, tag);
  } catch (...) {
    ForwardingAllocator::deallocate(data, bytes);
    throw;
  }
  return data;
}

void LifetimeAllocator::deallocate(void* data, std::int64_t bytes) noexcept {
  lifetimes_->onFree(data);
  ForwardingAllocator::deallocate(data, bytes);
}

}  // namespace torchette

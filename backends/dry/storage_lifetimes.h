// StorageLifetimes: when, in the course of a run, each allocation is needed.
#pragma once

#include <map>
#include <vector>

#include "backends/dry/byte_ranges.h"
#include "backends/operation_observer.h"
#include "backends/storage_lifetime.h"
#include "runtime/allocators.h"

namespace torchette {

/// A lifetime, and what else is known of the allocation.
struct RecordedStorage {
  StorageLifetime lifetime;
  std::int64_t storage = 0;     ///< Storage::number() of the storage it was made for
  std::int64_t operations = 0;  ///< how many read or wrote it
  /// Whether an operation read bytes that no operation since start() had written. Such content must
  /// outlast the run, so the lifetime is the whole recording.
  bool hasOlderContent = false;
};

/// Watches a backend (RecordingBackend), its device (RecordingDevice) and, through a
/// LifetimeAllocator, its allocations. Memory that did not come from that allocator is ignored.
class StorageLifetimes final : public OperationObserver {
 public:
  /// Forgets all operations; the next one is number 0. Before the first start(), operations count
  /// from the beginning.
  void start();
  /// Operations since start().
  std::int64_t operations() const { return operations_; }

  /// The allocations used since start(), freed ones too, in the order in which they were made.
  /// Several may have the same owner and field: buffers of one storage that grew, or tensors of one
  /// table.
  std::vector<RecordedStorage> storages() const;
  std::vector<StorageLifetime> lifetimes() const;

  void onAllocation(const void* address, std::int64_t bytes, const AllocationTag& tag);
  void onFree(const void* address) noexcept;

 private:
  struct Record {
    RecordedStorage result;
    ByteRanges written;  ///< since start()
    std::uintptr_t address = 0;
    bool isFreed = false;
  };
  /// A use of the bytes [begin, end) of an allocation.
  struct Use {
    Record* record;
    std::int64_t begin, end;
  };

  void beforeOperation(std::int64_t index, const Operation& operation) override;
  /// The record is null if the address is of no live allocation.
  Use find(const Access& access);
  void use(Record& record);

  std::int64_t operations_ = 0;
  std::vector<Record> records_;                 ///< in order of allocation
  std::map<std::uintptr_t, std::size_t> live_;  ///< index into records_ by address
};

/// Tells a StorageLifetimes of every allocation and free.
class LifetimeAllocator final : public ForwardingAllocator {
 public:
  LifetimeAllocator(std::shared_ptr<Allocator> upstream,
                    std::shared_ptr<StorageLifetimes> lifetimes);

  void* allocate(std::int64_t bytes, const AllocationTag& tag) override;
  void deallocate(void* data, std::int64_t bytes) noexcept override;

 private:
  std::shared_ptr<StorageLifetimes> lifetimes_;
};

}  // namespace torchette

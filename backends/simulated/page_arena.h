// PageArena: memory in whole pages that is opened and closed all at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace torchette {

/// One reservation of address space from which allocations take pages. Closed at first; whoever
/// touches closed memory is ended by SIGSEGV. Not for several threads at once.
class PageArena {
 public:
  /// Throws std::bad_alloc if the address space cannot be reserved.
  PageArena();
  ~PageArena();
  PageArena(const PageArena&) = delete;
  PageArena& operator=(const PageArena&) = delete;

  /// Throws std::bad_alloc when the address space is used up.
  void* allocate(std::int64_t bytes);
  /// Takes back what allocate(bytes) gave.
  void free(void* data, std::int64_t bytes) noexcept;

  void open() { protect(true); }
  void close() { protect(false); }

 private:
  void protect(bool isOpen);

  std::byte* begin_;
  std::size_t usedBytes_ =
      0;  ///< from the beginning; all that lies behind has never been given out
  bool isOpen_ = false;
  std::multimap<std::size_t, std::byte*> freed_;  ///< by size in bytes
};

}  // namespace torchette
